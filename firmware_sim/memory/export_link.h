// SPDX-License-Identifier: MIT
#pragma once

namespace fw {

struct Export;

/**
 * class ExportLink - an entry of an intrusive, doubly linked ring list of exports, or the head of such a
 * list. Adding, removing and merging take constant time. The destructor removes, and a copy is in no list.
 * Lock: the exchange's.
 */
class ExportLink {
public:
	/** @of: the export; nullptr: this is a list. */
	explicit ExportLink(Export *of = nullptr) : of_(of) {}
	~ExportLink() { remove(); }
	ExportLink(const ExportLink &) = delete;
	ExportLink &operator=(const ExportLink &) = delete;

	/* Context of the following: this is a list. */
	bool empty() const { return next_ == this; }
	Export *first() const { return next_->of_; }

	/** add() - puts @link, which is in no list, at the end. */
	void add(ExportLink &link)
	{
		link.previous_ = previous_;
		link.next_ = this;
		previous_->next_ = &link;
		previous_ = &link;
	}

	/** take() - moves all entries of @other to the end. @other is empty then. */
	void take(ExportLink &other)
	{
		if (other.empty())
			return;
		other.next_->previous_ = previous_;
		previous_->next_ = other.next_;
		other.previous_->next_ = this;
		previous_ = other.previous_;
		other.next_ = other.previous_ = &other;
	}

	/** remove() - takes this out of its list, if it is in one. */
	void remove()
	{
		previous_->next_ = next_;
		next_->previous_ = previous_;
		next_ = previous_ = this;
	}

private:
	Export *const of_;
	ExportLink *next_ = this;
	ExportLink *previous_ = this;
};

} // namespace fw

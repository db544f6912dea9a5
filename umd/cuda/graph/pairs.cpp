// SPDX-License-Identifier: MIT
/**
 * DOC: Which nodes of two graphs correspond
 *
 * An update takes the parameters of a node from the node at the same place of the other graph. The place is
 * determined by the edges: the search begins at the nodes that no node follows, and goes backwards along the
 * edges. The order in which the program made the nodes does not matter: two threads that build branches of a
 * graph make them in any order.
 */
#include "pairs.h"

#include <algorithm>

namespace umd::cuda {

namespace {

class Pairing {
public:
	Pairing(const Graph &old, const Graph &fresh)
		: old_(old), fresh_(fresh), partner_of_old_(old.size(), Graph::NONE),
		  partner_(fresh.size(), Graph::NONE)
	{
	}

	NodePairs run();

private:
	bool pair_sinks();
	bool pair_dependencies(const NodePair &pair);
	bool join(uint32_t old, uint32_t fresh);
	bool fail(uint32_t node, uint32_t from = Graph::NONE);

	const Graph &old_;
	const Graph &fresh_;
	std::vector<uint32_t> partner_of_old_;
	std::vector<uint32_t> partner_; /* pairs of the nodes of @fresh_ */
	NodePairs found_;
};

size_t count_nodes(const Graph &graph)
{
	size_t count = 0;
	for (uint32_t i = 0; i < graph.size(); i++)
		count += graph.live(i);
	return count;
}

bool Pairing::fail(uint32_t node, uint32_t from)
{
	found_.mismatch = node;
	found_.misfit_from = from;
	return false;
}

/* Return: false if one of the two is paired with another node. */
bool Pairing::join(uint32_t old, uint32_t fresh)
{
	if (partner_[fresh] == Graph::NONE && partner_of_old_[old] == Graph::NONE) {
		partner_[fresh] = old;
		partner_of_old_[old] = fresh;
		found_.pairs.push_back({old, fresh});
	}
	return partner_[fresh] == old;
}

bool Pairing::pair_sinks()
{
	const std::vector<uint32_t> olds = old_.sinks();
	const std::vector<uint32_t> news = fresh_.sinks();
	if (news.size() > olds.size())
		return fail(news[olds.size()]);
	for (size_t i = 0; i < news.size(); i++)
		(void)join(olds[i], news[i]);
	return true;
}

bool Pairing::pair_dependencies(const NodePair &pair)
{
	const auto olds = old_.after(pair.old);
	const auto news = fresh_.after(pair.fresh);
	if (olds.size() != news.size())
		return fail(pair.fresh);
	for (size_t i = 0; i < news.size(); i++) {
		if (!join(olds[i], news[i]))
			return fail(pair.fresh, news[i]);
	}
	return true;
}

NodePairs Pairing::run()
{
	const size_t count = count_nodes(fresh_);
	if (count != count_nodes(old_) || !pair_sinks())
		return found_;
	for (size_t i = 0; i < found_.pairs.size(); i++) {
		const NodePair pair = found_.pairs[i];
		if (!pair_dependencies(pair))
			return found_;
	}
	for (uint32_t i = 0; i < fresh_.size(); i++) {
		if (fresh_.live(i) && partner_[i] == Graph::NONE) {
			(void)fail(i);
			return found_;
		}
	}
	std::sort(found_.pairs.begin(), found_.pairs.end(),
		  [](const NodePair &left, const NodePair &right) {
			  return left.fresh < right.fresh;
		  });
	found_.match = true;
	return found_;
}

} // namespace

NodePairs pair_nodes(const Graph &old, const Graph &fresh)
{
	return Pairing(old, fresh).run();
}

} // namespace umd::cuda

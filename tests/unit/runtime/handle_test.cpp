// SPDX-License-Identifier: MIT
/*
 * DOC: Handles, tested
 *
 * A handle finds its object or nothing. The table recognises stale, foreign and invented handles
 * and reads no memory outside of its objects.
 */
#include <atomic>
#include <future>
#include <random>
#include <set>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "base/clock.h"
#include "umd/core/handle/handle.h"
#include "umd/core/handle/held.h"

namespace {

struct Object {
	umd::HandleWord handle;
	int payload = 0;
};

template <umd::Kind KIND> using Table = umd::HandleTable<Object, KIND>;
using Streams = Table<umd::Kind::STREAM>;
using Events = Table<umd::Kind::EVENT>;

/* Tables never free their objects, so these live as long as the program. */
Streams &streams()
{
	static Streams &table = *new Streams;
	return table;
}

Events &events()
{
	static Events &table = *new Events;
	return table;
}

void *pointer(uint64_t value)
{
	return reinterpret_cast<void *>(value);
}

TEST(Handle, FindsItsObject)
{
	Object *object = streams().create();
	ASSERT_NE(object, nullptr);
	EXPECT_NE(Streams::pointer(*object), nullptr);
	EXPECT_NE(Streams::pointer(*object), static_cast<void *>(object)) << "no address";
	EXPECT_EQ(streams().get(Streams::pointer(*object)), object);
	streams().destroy(*object);
}

TEST(Handle, StaleOnesFindNothing)
{
	Object *object = streams().create();
	void *handle = Streams::pointer(*object);
	streams().destroy(*object);
	EXPECT_EQ(streams().get(handle), nullptr);
	std::vector<Object *> objects;
	bool reused = false;
	for (unsigned i = 0; i < 1000; i++) {
		objects.push_back(streams().create());
		reused = reused || objects.back() == object;
		EXPECT_NE(Streams::pointer(*objects.back()), handle);
		EXPECT_EQ(streams().get(handle), nullptr);
	}
	EXPECT_TRUE(reused) << "objects are used again";
	for (Object *one : objects)
		streams().destroy(*one);
}

struct Scarce {
	umd::HandleWord handle;
	bool scarce = false;
	int freed = 0;

	void on_idle() { freed++; }
	bool is_scarce() const { return scarce; }
};

using ScarceTable = umd::HandleTable<Scarce, umd::Kind::NOTIFY>;

ScarceTable &scarce_table()
{
	static ScarceTable &table = *new ScarceTable;
	return table;
}

/* Retires an object in a thread that lives until the end of the scope. */
class Retirer {
public:
	explicit Retirer(bool scarce)
	{
		thread_ = std::thread([this, scarce] {
			object_ = scarce_table().create();
			object_->scarce = scarce;
			object_->freed = 0;
			scarce_table().destroy(*object_);
			retired_.set_value();
			end_.get_future().wait();
		});
		retired_.get_future().wait();
	}
	~Retirer()
	{
		end_.set_value();
		thread_.join();
	}
	int freed() const { return object_->freed; }

private:
	Scarce *object_ = nullptr;
	std::promise<void> retired_;
	std::promise<void> end_;
	std::thread thread_;
};

TEST(Handle, ASweepFreesScarceObjectsOfOtherThreads)
{
	const Retirer scarce(true);
	const Retirer plain(false);
	EXPECT_EQ(scarce.freed(), 0);
	scarce_table().sweep();
	EXPECT_EQ(scarce.freed(), 1);
	EXPECT_EQ(plain.freed(), 0) << "that one costs nobody anything";
}

TEST(Handle, ASweepLeavesScarceObjectsThatAreHeld)
{
	Scarce *object = scarce_table().create();
	object->scarce = true;
	object->freed = 0;
	std::promise<void> holds;
	std::promise<void> lets_go;
	std::thread holder([&] {
		const umd::Held<Scarce> held(scarce_table(), ScarceTable::pointer(*object));
		EXPECT_TRUE(held);
		holds.set_value();
		lets_go.get_future().wait();
	});
	holds.get_future().wait();
	scarce_table().destroy(*object);
	scarce_table().sweep();
	EXPECT_EQ(object->freed, 0);
	lets_go.set_value();
	holder.join();
	scarce_table().sweep();
	EXPECT_EQ(object->freed, 1);
}

TEST(Handle, ForeignOnesFindNothing)
{
	Object *stream = streams().create();
	Object *event = events().create();
	EXPECT_EQ(events().get(Streams::pointer(*stream)), nullptr);
	EXPECT_EQ(streams().get(Events::pointer(*event)), nullptr);
	streams().destroy(*stream);
	events().destroy(*event);
}

TEST(Handle, InventedOnesFindNothing)
{
	Object *object = streams().create();
	uint64_t good = object->handle;
	int local = 0;
	EXPECT_EQ(streams().get(nullptr), nullptr);
	EXPECT_EQ(streams().get(&local), nullptr);
	EXPECT_EQ(streams().get(object), nullptr);
	EXPECT_EQ(streams().get(pointer(UINT64_MAX)), nullptr);
	for (unsigned bit = 0; bit < 64; bit++)
		EXPECT_EQ(streams().get(pointer(good ^ (uint64_t{1} << bit))), nullptr) << bit;
	const uint64_t tag = good & (uint64_t{0xff} << 56);
	EXPECT_EQ(streams().get(pointer(tag)), nullptr) << "index -1";
	EXPECT_EQ(streams().get(pointer(tag | 0xffffff)), nullptr) << "past every chunk";
	EXPECT_EQ(streams().get(pointer(tag | Streams::MAX_OBJECTS)), nullptr);
	EXPECT_EQ(streams().get(pointer(tag | 5000)), nullptr) << "generation 0";
	const uint64_t seed = base::now_ns();
	SCOPED_TRACE(testing::Message() << "seed " << seed);
	std::mt19937_64 random(seed);
	for (unsigned i = 0; i < 100000; i++) {
		uint64_t value = random() % 2 ? random() : tag | (random() >> 8);
		if (value != good) {
			EXPECT_EQ(streams().get(pointer(value)), nullptr) << value;
		}
	}
	streams().destroy(*object);
}

/* Objects that a thread kept for itself are there for others once it has ended. */
TEST(Handle, AThreadThatEndsLeavesItsObjects)
{
	static auto &table = *new Table<umd::Kind::MODEL>;
	std::set<Object *> seen;
	for (unsigned i = 0; i < 200; i++) {
		std::thread([&] {
			Object *object = table.create();
			void *handle = table.pointer(*object);
			seen.insert(object);
			table.destroy(*object);
			EXPECT_EQ(table.get(handle), nullptr);
		}).join();
	}
	EXPECT_LE(seen.size(), 2u) << "each thread would have made new ones";
	EXPECT_EQ(table.live(), 0u);
}

TEST(Handle, ObjectsPassFromThreadToThread)
{
	static auto &table = *new Table<umd::Kind::NOTIFY>;
	std::set<Object *> seen;
	for (unsigned i = 0; i < 50; i++) {
		std::vector<Object *> made;
		std::thread([&] {
			for (unsigned k = 0; k < 100; k++)
				made.push_back(table.create());
		}).join();
		seen.insert(made.begin(), made.end());
		EXPECT_EQ(table.live(), 100u);
		for (Object *object : made)
			table.destroy(*object);
	}
	EXPECT_LE(seen.size(), 300u) << "objects are used again";
	EXPECT_EQ(table.live(), 0u);
}

/* An object whose generations have run out is not used again, so a stale handle stays stale. */
TEST(Handle, NoneIsGivenTwice)
{
	constexpr unsigned GENERATIONS = 16;
	static auto &table = *new umd::HandleTable<Object, umd::Kind::LABEL, GENERATIONS>;
	std::set<void *> seen;
	for (unsigned i = 0; i < 100 * GENERATIONS; i++) {
		Object *object = table.create();
		void *handle = table.pointer(*object);
		ASSERT_TRUE(seen.insert(handle).second) << i;
		table.destroy(*object);
		EXPECT_EQ(table.get(handle), nullptr);
	}
}

TEST(Handle, OneThreadAloneRetiresIt)
{
	constexpr unsigned THREADS = 4;
	constexpr unsigned ROUNDS = 2000;
	static auto &table = *new Table<umd::Kind::FILE>;
	std::vector<Object *> objects(ROUNDS);
	std::vector<void *> handles(ROUNDS);
	for (unsigned i = 0; i < ROUNDS; i++) {
		objects[i] = table.create();
		handles[i] = table.pointer(*objects[i]);
	}
	std::atomic<unsigned> retired{0};
	std::vector<std::thread> threads;
	for (unsigned t = 0; t < THREADS; t++)
		threads.emplace_back([&] {
			for (unsigned i = 0; i < ROUNDS; i++) {
				if (!table.retire(*objects[i], handles[i]))
					continue;
				retired++;
				table.recycle(*objects[i]);
			}
		});
	for (std::thread &thread : threads)
		thread.join();
	EXPECT_EQ(retired, ROUNDS);
	std::set<Object *> made;
	for (unsigned i = 0; i < ROUNDS; i++)
		EXPECT_TRUE(made.insert(table.create()).second) << "an object was free twice";
	for (Object *object : made) {
		EXPECT_FALSE(table.retire(*object, handles[0])) << "by a stale handle";
		table.destroy(*object);
	}
	EXPECT_EQ(table.live(), 0u);
}

TEST(Handle, LiveOnesAreCountedAndVisited)
{
	Events &table = events();
	uint32_t before = table.live();
	std::set<Object *> made;
	for (unsigned i = 0; i < 600; i++)
		made.insert(table.create());
	EXPECT_EQ(made.size(), 600u) << "no object twice";
	EXPECT_EQ(table.live(), before + 600);
	unsigned visited = 0;
	table.for_each([&](Object &object) { visited += made.count(&object) != 0; });
	EXPECT_EQ(visited, 600u);
	for (Object *object : made)
		table.destroy(*object);
	EXPECT_EQ(table.live(), before);
}

} // namespace

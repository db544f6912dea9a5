// SPDX-License-Identifier: MIT
/**
 * DOC: AscendCL routes between queues
 */
#include <new>
#include <vector>

#include "acl/acl.h"
#include "acl/acl_tdt_queue.h"
#include "queue.h"
#include "umd/acl/parts.h"

using base::Status;
using umd::acl_return;
using umd::null_argument;
using umd::Queues;
using umd::Route;
using umd::RouteState;
using umd::set_error;

/* Plain data: the Destroy functions only free the descriptions themselves. */
struct acltdtQueueRoute {
	Route route;
};

struct acltdtQueueRouteList {
	std::vector<Route> routes;
};

struct acltdtQueueRouteQueryInfo {
	bool has_mode = false;
	bool has_from = false;
	bool has_to = false;
	acltdtQueueRouteQueryMode mode = ACL_TDT_QUEUE_ROUTE_QUERY_SRC;
	uint32_t from = 0;
	uint32_t to = 0;
};

template <class T> static T *describe(T value)
{
	auto *made = new (std::nothrow) T(std::move(value));
	if (!made)
		(void)acl_return(
			set_error(Status::NO_MEMORY,
				  "no memory is left for a route; free some of the host's"));
	return made;
}

template <class T> static aclError forget(const T *description, const char *name)
{
	if (!description)
		return acl_return(null_argument(name));
	delete description;
	return ACL_SUCCESS;
}

acltdtQueueRoute *acltdtCreateQueueRoute(uint32_t srcId, uint32_t dstId)
{
	return describe(acltdtQueueRoute{{srcId, dstId, RouteState::UNBOUND}});
}

aclError acltdtDestroyQueueRoute(const acltdtQueueRoute *route)
{
	return forget(route, "route");
}

aclError acltdtGetQueueRouteParam(const acltdtQueueRoute *route, acltdtQueueRouteParamType type,
				  size_t len, size_t *paramRetSize, void *param)
{
	if (!route || !paramRetSize || !param)
		return acl_return(null_argument(!route	 ? "route"
						: !param ? "param"
							 : "paramRetSize"));
	const Route &about = route->route;
	auto give = [&](const auto &part) {
		return acl_return(umd::give_part(&part, sizeof(part), len, param, paramRetSize));
	};
	switch (type) {
	case ACL_TDT_QUEUE_ROUTE_SRC_UINT32:
		return give(about.from);
	case ACL_TDT_QUEUE_ROUTE_DST_UINT32:
		return give(about.to);
	case ACL_TDT_QUEUE_ROUTE_STATUS_INT32:
		return give(about.state);
	}
	return acl_return(set_error(
		Status::INVALID_ENUM,
		fmt::format("type is {}; it must be 0 to 2, one of acltdtQueueRouteParamType",
			    static_cast<int>(type))));
}

acltdtQueueRouteList *acltdtCreateQueueRouteList(void)
{
	return describe(acltdtQueueRouteList{});
}

aclError acltdtDestroyQueueRouteList(const acltdtQueueRouteList *routeList)
{
	return forget(routeList, "routeList");
}

aclError acltdtAddQueueRoute(acltdtQueueRouteList *routeList, const acltdtQueueRoute *route)
{
	if (!routeList || !route)
		return acl_return(null_argument(routeList ? "route" : "routeList"));
	routeList->routes.push_back(route->route);
	return ACL_SUCCESS;
}

aclError acltdtGetQueueRoute(const acltdtQueueRouteList *routeList, size_t index,
			     acltdtQueueRoute *route)
{
	if (!routeList || !route)
		return acl_return(null_argument(routeList ? "route" : "routeList"));
	if (index >= routeList->routes.size())
		return acl_return(set_error(Status::NULL_POINTER,
					    fmt::format("index is {}; the list has {} routes",
							index, routeList->routes.size())));
	route->route = routeList->routes[index];
	return ACL_SUCCESS;
}

size_t acltdtGetQueueRouteNum(const acltdtQueueRouteList *routeList)
{
	return routeList ? routeList->routes.size() : 0;
}

/* Changes each route independently, even after a failure. Return: the first failure. */
template <class Change>
static aclError change_routes(acltdtQueueRouteList *list, RouteState after, Change change)
{
	if (!list)
		return acl_return(null_argument("qRouteList"));
	if (list->routes.empty())
		return acl_return(set_error(Status::NULL_POINTER,
					    "qRouteList is empty; acltdtAddQueueRoute fills it"));
	Status first = Status::OK;
	for (Route &route : list->routes) {
		Status status = change(route);
		route.state = status == Status::OK ? after : RouteState::ABNORMAL;
		if (first == Status::OK)
			first = status;
	}
	return acl_return(first);
}

aclError acltdtBindQueueRoutes(acltdtQueueRouteList *qRouteList)
{
	return change_routes(qRouteList, RouteState::BOUND,
			     [](const Route &route) { return Queues::get().bind(route); });
}

aclError acltdtUnbindQueueRoutes(acltdtQueueRouteList *qRouteList)
{
	return change_routes(qRouteList, RouteState::UNBOUND,
			     [](const Route &route) { return Queues::get().unbind(route); });
}

acltdtQueueRouteQueryInfo *acltdtCreateQueueRouteQueryInfo(void)
{
	return describe(acltdtQueueRouteQueryInfo{});
}

aclError acltdtDestroyQueueRouteQueryInfo(const acltdtQueueRouteQueryInfo *info)
{
	return forget(info, "info");
}

static Status take_mode(acltdtQueueRouteQueryInfo &info, int mode)
{
	switch (mode) {
	case ACL_TDT_QUEUE_ROUTE_QUERY_SRC:
	case ACL_TDT_QUEUE_ROUTE_QUERY_DST:
	case ACL_TDT_QUEUE_ROUTE_QUERY_SRC_AND_DST:
	case ACL_TDT_QUEUE_ROUTE_QUERY_ABNORMAL:
		info.mode = static_cast<acltdtQueueRouteQueryMode>(mode);
		info.has_mode = true;
		return Status::OK;
	default:
		return set_error(Status::INVALID_ENUM,
				 fmt::format("the mode is {}; it must be 0, 1, 2 or 100, one of "
					     "acltdtQueueRouteQueryMode",
					     mode));
	}
}

aclError acltdtSetQueueRouteQueryInfo(acltdtQueueRouteQueryInfo *param,
				      acltdtQueueRouteQueryInfoParamType type, size_t len,
				      const void *value)
{
	if (!param || !value)
		return acl_return(null_argument(param ? "value" : "param"));
	uint32_t word;
	static_assert(sizeof(acltdtQueueRouteQueryMode) == sizeof(word));
	if (len != sizeof(word))
		return acl_return(set_error(
			Status::NULL_POINTER,
			fmt::format("len is {}; each part has {} bytes", len, sizeof(word))));
	memcpy(&word, value, sizeof(word));
	switch (type) {
	case ACL_TDT_QUEUE_ROUTE_QUERY_MODE_ENUM:
		return acl_return(take_mode(*param, static_cast<int>(word)));
	case ACL_TDT_QUEUE_ROUTE_QUERY_SRC_ID_UINT32:
		param->from = word;
		param->has_from = true;
		return ACL_SUCCESS;
	case ACL_TDT_QUEUE_ROUTE_QUERY_DST_ID_UINT32:
		param->to = word;
		param->has_to = true;
		return ACL_SUCCESS;
	}
	return acl_return(
		set_error(Status::INVALID_ENUM, fmt::format("type is {}; it must be 0 to 2, one of "
							    "acltdtQueueRouteQueryInfoParamType",
							    static_cast<int>(type))));
}

static bool asked_for(const acltdtQueueRouteQueryInfo &info, const Route &route)
{
	switch (info.mode) {
	case ACL_TDT_QUEUE_ROUTE_QUERY_SRC:
		return route.from == info.from;
	case ACL_TDT_QUEUE_ROUTE_QUERY_DST:
		return route.to == info.to;
	case ACL_TDT_QUEUE_ROUTE_QUERY_SRC_AND_DST:
		return route.from == info.from && route.to == info.to;
	default:
		return route.state == RouteState::ABNORMAL;
	}
}

/* Checks that the program has set every field that the mode needs. */
static Status check_question(const acltdtQueueRouteQueryInfo &info)
{
	bool from = info.mode == ACL_TDT_QUEUE_ROUTE_QUERY_SRC ||
		    info.mode == ACL_TDT_QUEUE_ROUTE_QUERY_SRC_AND_DST;
	bool to = info.mode == ACL_TDT_QUEUE_ROUTE_QUERY_DST ||
		  info.mode == ACL_TDT_QUEUE_ROUTE_QUERY_SRC_AND_DST;
	const char *missing = !info.has_mode	       ? "mode"
			      : from && !info.has_from ? "source"
			      : to && !info.has_to     ? "target"
						       : nullptr;
	if (!missing)
		return Status::OK;
	return set_error(
		Status::NULL_POINTER,
		fmt::format("queryInfo has no {}; acltdtSetQueueRouteQueryInfo sets it", missing));
}

aclError acltdtQueryQueueRoutes(const acltdtQueueRouteQueryInfo *queryInfo,
				acltdtQueueRouteList *qRouteList)
{
	if (!queryInfo || !qRouteList)
		return acl_return(null_argument(queryInfo ? "qRouteList" : "queryInfo"));
	TRY(check_question(*queryInfo));
	qRouteList->routes.clear();
	for (const Route &route : Queues::get().routes()) {
		if (asked_for(*queryInfo, route))
			qRouteList->routes.push_back(route);
	}
	return ACL_SUCCESS;
}

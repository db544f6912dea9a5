# SPDX-License-Identifier: MIT
# To be sourced by bash: ". <toolkit>/bin/setenv.bash". The environment that ../set_env.sh sets, under the
# name that programs' scripts look for.

. "$(CDPATH='' cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)/set_env.sh" "$@"

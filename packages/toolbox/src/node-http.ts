import type * as http from 'node:http'

/**
 * Returns `node:http`. Importing values from it makes Node evaluate all of its exports, including its own `fetch`, which costs
 * 40 ms of CPU time and 5 MB at each start.
 */
export function nodeHttp(): typeof http {
  return process.getBuiltinModule('node:http')
}

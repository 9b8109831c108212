// Prints what a peer of the public API has and this server does not, changes or refuses:
//   node test/api/drift/drift.ts <OpenAPI document, or folder of an SDK package> [<an older release of it>]
// With an older release, it also prints what the newer one no longer has.
import { readFileSync, statSync } from 'node:fs'

import { parse } from 'yaml'

import { compare, findRemovals, print } from './compare.ts'
import { readOpenApi } from './openapi.ts'
import { readOurDocument } from './ours.ts'
import { readSdk } from './sdk.ts'
import type { Contract } from './shape.ts'

function readPeer(path: string): Contract {
  if (statSync(path).isDirectory()) return readSdk(path)
  return readOpenApi(parse(readFileSync(path, 'utf8')) as Readonly<Record<string, unknown>>)
}

if (import.meta.main) {
  const [path, olderPath] = process.argv.slice(2)
  if (path === undefined) throw new Error('No path is given. Give an OpenAPI document or the folder of an SDK package.')
  const peer = readPeer(path)
  const removals = olderPath === undefined ? [] : findRemovals(readPeer(olderPath), peer)
  console.log(print([...compare(peer, readOpenApi(await readOurDocument())), ...removals]))
}

// A site on this machine whose pages a test sets, and the cleanup of each test.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll } from 'vitest'

export interface TestSite {
  readonly origin: string
  /** The bodies by path. Other paths have status 404. */
  readonly bodies: Map<string, string>
  /** Runs after the test, in reverse order. */
  readonly cleanups: (() => Promise<void> | void)[]
}

/** Serves a site while the tests of a file run. Call it at the top of the file. */
export function serveSite(): TestSite {
  const bodies = new Map<string, string>()
  const cleanups: TestSite['cleanups'] = []
  let origin = ''
  const server = createServer((request, response) => {
    const body = bodies.get(request.url ?? '')
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' })
    response.end(body ?? '<title>None</title><p>There is no spider here.</p>')
  })
  beforeAll(async () => {
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
    // Cast: a server on a port.
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterAll(() => void server.close())
  afterEach(async () => {
    for (const clean of cleanups.splice(0).toReversed()) await clean()
  })
  return {
    get origin() {
      return origin
    },
    bodies,
    cleanups,
  }
}

// A site of files for tests that scrape documents and images.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ServedFile {
  readonly data: Buffer
  readonly contentType: string
}

/** Serves files by their path on 127.0.0.1, with their content types. Other paths respond with 404. */
export async function serveFiles(
  files: Readonly<Record<string, ServedFile>>,
): Promise<AsyncDisposable & { readonly url: string }> {
  const server = createServer(({ url = '' }, response) => {
    const found = files[url]
    response.writeHead(found ? 200 : 404, { 'content-type': found?.contentType ?? 'text/plain' }).end(found?.data)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}

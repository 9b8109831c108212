import { createReadStream, existsSync, statSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join, normalize, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

import { EngineError } from '@harvestman/ports'
import { nodeHttp } from '@harvestman/toolbox/node-http'

import { exitCodes, type Shell } from './shell.ts'
import { nextSignal } from './told.ts'

// The package contains the built site; a checkout has it in its build folder.
const places = ['./docs/', '../../../docs/.vitepress/dist/'].map((path) =>
  fileURLToPath(new URL(path, import.meta.url)),
)

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
  '.png': 'image/png',
}

export interface DocsFlags {
  readonly port?: string
  readonly folder?: string
}

/**
 * Serves the documentation of this version on localhost (default port: 3003) until the process is interrupted. Resolves to the
 * exit code. Rejects with `invalid_request` if the port is not a number of a port, with `not_found` if the documentation is not
 * built, and with `conflict` if the port cannot be opened.
 */
export async function docs({ port = '3003', folder }: DocsFlags, shell: Shell): Promise<number> {
  const number = portOf(port)
  const own = folder === undefined ? places : [resolve(folder)]
  const root = own.find((place) => existsSync(join(place, 'index.html')))
  if (root === undefined)
    throw new EngineError(
      'not_found',
      `The documentation is not built ${folder === undefined ? 'here' : `in ${folder}`}. Build it: pnpm docs:site`,
    )
  const server = nodeHttp().createServer((request, response) => answer(root, request, response))
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) => reject(taken(port, cause))).listen(number, '127.0.0.1', resolve)
  })
  shell.out(`http://127.0.0.1:${(server.address() as AddressInfo).port}/\n`)
  shell.err('The documentation is served on localhost only. Press Ctrl-C to stop.\n')
  await nextSignal(['SIGINT', 'SIGTERM'])
  server.closeAllConnections()
  server.close()
  return exitCodes.done
}

function portOf(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text)
  throw new EngineError('invalid_request', `--port must be an integer from 0 to 65535, but is ${JSON.stringify(text)}.`)
}

function taken(port: string, cause: Error): EngineError {
  return new EngineError('conflict', `Port ${port} cannot be used. Choose another one, or any free one: --port 0`, {
    cause,
  })
}

function answer(root: string, { method, url = '/' }: IncomingMessage, response: ServerResponse): void {
  const file = method === 'GET' || method === 'HEAD' ? fileOf(root, url) : undefined
  const found = file ?? join(root, '404.html')
  response.writeHead(file === undefined ? 404 : 200, {
    'content-type': types[extname(found)] ?? 'application/octet-stream',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-cache',
  })
  if (method === 'HEAD' || !existsSync(found)) response.end()
  else createReadStream(found).pipe(response)
}

/**
 * Returns the file of a URL, with or without its extension. Returns `undefined` for files outside of `root`. Also
 * returns `undefined` if there is no such file.
 */
export function fileOf(root: string, url: string): string | undefined {
  const path = URL.parse(url, 'http://docs')?.pathname
  if (path === undefined || path.includes('\0')) return undefined
  let plain: string
  try {
    plain = decodeURIComponent(path)
  } catch {
    return undefined
  }
  const wanted = normalize(join(root, plain))
  if (!wanted.startsWith(root.endsWith(sep) ? root : root + sep) || plain.includes('\0')) return undefined
  return [wanted, `${wanted}.html`, join(wanted, 'index.html')].find((file) =>
    statSync(file, { throwIfNoEntry: false })?.isFile(),
  )
}

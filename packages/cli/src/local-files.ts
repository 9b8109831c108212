import { readFile, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

import { EngineError } from '@harvestman/core'
import { defineLoader, definePlugin } from '@harvestman/core/plugin'

import type { Shell } from './shell.ts'

/** What stands for the input that was piped in. */
const piped = 'stdin:///page'

/** The address of what was named: itself, or that of a file or of what is piped in. */
export async function addressOf(target: string): Promise<string> {
  if (target === '-') return piped
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(target)) return target
  const file = resolve(target)
  const found = await stat(file).catch(() => undefined)
  return found?.isFile() ? pathToFileURL(file).href : target
}

/** Loads files of this machine and what is piped in. Only the page that was named: a page cannot lead to a file. */
export function localFiles(address: string, { stdin }: Shell) {
  const load = async (url: URL): Promise<Uint8Array> => {
    if (url.protocol === 'stdin:') return Buffer.from(stdin())
    try {
      return await readFile(fileURLToPath(url))
    } catch (cause) {
      throw new EngineError('invalid_request', `${fileURLToPath(url)} cannot be read. Check its rights.`, { cause })
    }
  }
  const loader = defineLoader({
    name: 'local file',
    cost: 0,
    schemes: ['file', 'stdin'],
    accepts: ({ href }) => href === address,
    load: async ({ url }) => ({
      url: url.href,
      status: 200,
      headers: {},
      body: await load(url),
      captured: {},
      actions: {},
      proxyUsed: 'basic',
      warnings: [],
    }),
  })
  return definePlugin({ name: 'local files', loaders: [loader] })
}

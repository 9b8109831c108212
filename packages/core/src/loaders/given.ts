import { defineLoader } from '../plugin/define.ts'
import type { Loader } from '../plugin/parts.ts'

/** A file that the caller has. */
export interface GivenFile {
  readonly bytes: Uint8Array
  /** The last part of a path will do, and is all that is kept of one. */
  readonly name?: string | undefined
  readonly contentType?: string | undefined
  /** Address it is from. */
  readonly url?: string | undefined
}

/** Address of a file; a made-up one when it has none. */
export function addressOfFile({ url, name = 'file' }: GivenFile): string {
  const last = name.split(/[/\\]/).findLast((part) => part !== '') ?? 'file'
  return url ?? `upload:///${encodeURIComponent(last.toWellFormed())}`
}

/** Gives the bytes of a file as if they had been loaded. It stands in the place of all loaders, so nothing else is. */
export function givenLoader(file: GivenFile): Loader {
  const address = addressOfFile(file)
  const { contentType, bytes } = file
  return defineLoader({
    name: 'given file',
    cost: 0,
    schemes: [new URL(address).protocol.slice(0, -1)],
    accepts: ({ href }) => href === new URL(address).href,
    load: async () => ({
      url: address,
      status: 200,
      headers: contentType === undefined ? {} : { 'content-type': contentType },
      body: bytes,
      captured: {},
      actions: {},
      proxyUsed: 'basic',
      warnings: [],
    }),
  })
}

import { uploads } from '../lib/target.ts'
import { defineLoader } from '../plugin/define.ts'
import type { Loader } from '../plugin/parts.ts'

/** A file that the caller provides. */
export interface InputFile {
  readonly bytes: Uint8Array
  /** File name or path. Only the last segment of a path is used. */
  readonly name?: string | undefined
  readonly contentType?: string | undefined
  /** URL of the file, if it has one. */
  readonly url?: string | undefined
}

/** Returns the URL of a file; without one, an `upload:` URL made from its name. */
export function addressOfFile({ url, name = 'file' }: InputFile): string {
  const last = name.split(/[/\\]/).findLast((part) => part !== '') ?? 'file'
  return url ?? `${uploads}${encodeURIComponent(last.toWellFormed())}`
}

/**
 * Creates a loader that returns the bytes of a file as the page of its URL, with status 200. It accepts no other URL and
 * fetches nothing.
 */
export function fileLoader(file: InputFile): Loader {
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

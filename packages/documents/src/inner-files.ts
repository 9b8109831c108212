// Reads the files in a file: attachments of a mail, and files of an archive.
import { EngineError } from '@harvestman/ports'

import type { InnerFile, InnerFiles } from './converting.ts'
import type { Converted } from './facts.ts'
import { kindOfName, type Kind } from './kinds.ts'
import type { Limits } from './limits.ts'
import { quotedName } from './refuse.ts'
import { isTextName, readText } from './text-files.ts'

/**
 * Creates a reader for the files in a file. It reads at most `limits.files` of them, and `limits.unpackedBytes` bytes together.
 * `convert` reads one of a known kind; its errors become warnings.
 */
export function makeInnerFiles(
  limits: Limits,
  warn: (sentence: string) => void,
  convert: (bytes: Uint8Array, kind: Kind) => Promise<Converted>,
): InnerFiles {
  const left = { files: limits.files, bytes: limits.unpackedBytes }
  const contentOf = async (file: InnerFile): Promise<string> => {
    const kind = kindOfName(file.name)
    return kind === undefined ? readText(file) : (await convert(file.bytes, kind)).html
  }
  return {
    isReadable,
    read: async (file) => {
      if (!isReadable(file.name)) return undefined
      left.files -= 1
      left.bytes -= file.bytes.byteLength
      if (left.files < 0 || left.bytes < 0) {
        const limit =
          left.files < 0 ? `limits.files (${limits.files})` : `limits.unpackedBytes (${limits.unpackedBytes})`
        warn(
          `The file has more content than ${limit} allows; the rest is left out. Raise the limit of documents() to read it.`,
        )
        return undefined
      }
      try {
        return await contentOf(file)
      } catch (error) {
        if (!EngineError.is(error)) throw error
        warn(`The file ${quotedName(file.name)} is left out. ${error.message}`)
        return undefined
      }
    },
  }
}

function isReadable(name: string): boolean {
  const kind = kindOfName(name)
  // An archive in a file is not opened.
  return kind === undefined ? isTextName(name) : kind !== 'zip'
}

// Reads the files in a file: attachments of a mail, and files of an archive.
import { randomUUID } from 'node:crypto'

import type { InnerFile, InnerFiles } from './converting.ts'
import type { Converted } from './facts.ts'
import { extensionOf, kindOfName, type Kind } from './kinds.ts'
import type { Limits } from './limits.ts'
import { fileError, leftOut } from './refuse.ts'
import { isTextName, readText } from './text-files.ts'

/** Context for reading inner files. */
export interface InnerWork {
  readonly limits: Limits
  readonly warn: (sentence: string) => void
  /** Extensions of the files that other parsers of the engine read. */
  readonly others: ReadonlySet<string>
  /** Reads a file of a known kind. */
  readonly convert: (bytes: Uint8Array, kind: Kind) => Promise<Converted>
}

/** A file with a buffer of its own, which can be transferred to another thread. */
export interface OwnedFile {
  readonly name: string
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** The reader of the files, and those that it leaves to other parsers. */
export interface InnerReader extends InnerFiles {
  /** Splits HTML at the places of the files for other parsers. */
  split(html: string): { readonly html: readonly string[]; readonly files: readonly OwnedFile[] }
}

/**
 * Creates a reader for the files in a file. It reads at most `limits.files` of them, and `limits.unpackedBytes` bytes together.
 */
export function makeInnerFiles({ limits, warn, others, convert }: InnerWork): InnerReader {
  const left = { files: limits.files, unpackedBytes: limits.unpackedBytes, innerBytes: limits.innerBytes }
  const forOthers: OwnedFile[] = []
  // A random mark: no file can contain it.
  const mark = randomUUID()
  const spend = (limit: keyof typeof left, amount: number): boolean => {
    left[limit] -= amount
    if (left[limit] >= 0) return true
    warn(
      `The file has more content than limits.${limit} (${limits[limit]}) allows; the rest is left out. Raise it in documents() to read it.`,
    )
    return false
  }
  const contentOf = async (file: InnerFile): Promise<string | undefined> => {
    const { name } = file
    // After the first file beyond the limit, no other file is unpacked.
    if (!spend('unpackedBytes', 0)) return undefined
    const bytes = file.bytes()
    if (!spend('unpackedBytes', bytes.byteLength)) return undefined
    const kind = kindOfName(name)
    if (kind !== undefined) return (await convert(bytes, kind)).html
    if (isTextName(name)) return readText(name, bytes, warn)
    if (!spend('innerBytes', bytes.byteLength)) return undefined
    forOthers.push({ name, bytes: new Uint8Array(bytes) })
    return `${mark}:${forOthers.length - 1};`
  }
  const isReadable = (name: string): boolean => {
    const kind = kindOfName(name)
    // An archive in a file is not opened.
    return kind === undefined ? isTextName(name) || others.has(extensionOf(name)) : kind !== 'zip'
  }
  return {
    isReadable,
    read: async (file) => {
      if (!isReadable(file.name) || !spend('files', 1)) return undefined
      try {
        return await contentOf(file)
      } catch (error) {
        warn(leftOut(file.name, fileError(error)))
        return undefined
      }
    },
    split: (html) => {
      const parts = html.split(new RegExp(`${mark}:(\\d+);`))
      return {
        html: parts.filter((_, index) => index % 2 === 0),
        files: parts.filter((_, index) => index % 2 === 1).flatMap((index) => forOthers[Number(index)] ?? []),
      }
    },
  }
}

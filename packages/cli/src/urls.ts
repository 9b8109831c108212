import { readFileSync, statSync } from 'node:fs'

import { EngineError } from '@harvestman/ports'

import { checkNoPath } from './local-files.ts'

/**
 * Returns the URLs of a batch. Each word is a URL, a file with one URL per line, or `-` for standard input. Empty lines and lines
 * that start with `#` are skipped. A word without a scheme is a URL unless such a file exists. Throws `invalid_request` for the
 * path of a file that does not exist, or that cannot be read.
 */
export function readUrls(words: readonly string[], stdin: () => Uint8Array): readonly string[] {
  return words.flatMap((word) => {
    if (word === '-') return lines(new TextDecoder().decode(stdin()))
    if (/^[a-z][a-z\d+.-]*:\/\//i.test(word)) return [word]
    if (!isFile(word)) {
      checkNoPath(word)
      return [word]
    }
    return lines(read(word))
  })
}

function lines(text: string): string[] {
  const trimmed = text.split('\n').map((line) => line.trim())
  return trimmed.filter((line) => line !== '' && !line.startsWith('#'))
}

function isFile(word: string): boolean {
  return statSync(word, { throwIfNoEntry: false })?.isFile() ?? false
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    throw new EngineError('invalid_request', `${file} cannot be read. Check its permissions.`, { cause })
  }
}

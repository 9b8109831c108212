import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/**
 * Returns the folder of the character maps for Chinese, Japanese and Korean fonts, with a trailing slash, or `undefined` if
 * there is none. They are larger than everything else together, so they are not bundled: they come from an installed
 * `pdfjs-dist`, or from a configured folder, whose existence is not checked.
 */
export function findCMaps(folder: string | undefined): string | undefined {
  const found = folder ?? besidePdfjs()
  // The library appends the name of a character map directly.
  return found && `${found.replace(/[\\/]+$/, '')}/`
}

function besidePdfjs(): string | undefined {
  try {
    const folder = join(dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json')), 'cmaps')
    return existsSync(folder) ? folder : undefined
  } catch {
    return undefined
  }
}

import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/**
 * The folder of tables that say which letters the codes of Chinese, Japanese and Korean fonts are. They are larger than
 * all the rest together, so they come with `pdfjs-dist` where a host installs it, or from a folder that it names.
 */
export function findCMaps(folder: string | undefined): string | undefined {
  const found = folder ?? besidePdfjs()
  // The reading library puts the name of a table right behind it.
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

import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { EngineError } from '@harvestman/ports'
import { makeFolder } from '@harvestman/toolbox/make-folder'

/** Generates file names for pages. Within one instance, no two URLs share a name. */
export interface PageNames {
  nameOf(url: string, ending: string): string
}

const maxLength = 100

/** Creates file names for pages. Names are unique: a page whose name is taken gets a hash of its URL. */
export function pageNames(): PageNames {
  const taken = new Map<string, string>()
  return {
    nameOf: (url, ending) => {
      const { name, isExact } = plainName(url)
      const wanted = isExact ? name : `${name}-${digest(url)}`
      const owner = taken.get(wanted) ?? url
      const own = owner === url ? wanted : `${wanted}-${digest(url)}`
      taken.set(own, url)
      return `${own}.${ending}`
    },
  }
}

/**
 * Returns a portable file name that contains only `a-z`, `0-9`, dots, hyphens and underscores. `isExact` is true if no other
 * URL gives the same name; other names get a hash.
 */
function plainName(url: string): { readonly name: string; readonly isExact: boolean } {
  const { protocol, host, pathname, search } = new URL(url)
  const path = pathname.replace(/^\/|\/$/g, '')
  const fullPath = path === '' ? host : `${host}/${path}`
  const name = fullPath
    .toLowerCase()
    .replaceAll('/', '_')
    .replaceAll(/[^a-z\d._-]+/g, '-')
    .replaceAll(/\.{2,}/g, '.')
    .replace(/^[.-]+/, '')
    .slice(0, maxLength)
    .replace(/[.-]+$/, '')
  const isExact =
    protocol === 'https:' && search === '' && !path.includes('_') && name === fullPath.replaceAll('/', '_')
  return { name: name === '' ? 'page' : name, isExact: isExact && !pathname.endsWith('//') }
}

function digest(url: string): string {
  return createHash('sha256').update(url).digest('hex').slice(0, 8)
}

/**
 * Creates a folder and returns a function that writes files into it. Both reject with `invalid_request` if nothing can be written
 * there.
 */
export async function openFolder(folder: string): Promise<(name: string, text: string) => Promise<void>> {
  const failing = async (work: () => Promise<unknown>, path: string): Promise<void> => {
    try {
      await work()
    } catch (cause) {
      throw new EngineError(
        'invalid_request',
        `${path} cannot be written. Check its folder, permissions and free space.`,
        {
          cause,
        },
      )
    }
  }
  await failing(async () => makeFolder(folder), folder)
  return (name, text) => failing(() => writeFile(join(folder, name), text), join(folder, name))
}

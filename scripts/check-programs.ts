import { dirname, join } from 'node:path'

import type { NamedFile } from './check-names.ts'
import { importsOf } from './imports.ts'
import type { Program } from './programs.ts'

type Known = Pick<Program, 'name' | 'signs'>

/**
 * Files of tests that start a program, themselves or through a helper beside them, and have no tag for it: they would fail
 * where it is missing. A sentence for each.
 */
export function findUntagged(files: readonly NamedFile[], programs: readonly Known[]): string[] {
  const texts = new Map(files.map(({ file, text }) => [file, text]))
  return files
    .filter(({ file }) => file.endsWith('.test.ts'))
    .flatMap(({ file, text }) => {
      const reached = reachedFrom(file, texts)
      return programs
        .filter(({ name }) => !hasTag(text, name))
        .flatMap(({ name, signs }) => {
          const place = reached.find((one) => signs.test(texts.get(one) ?? ''))
          const through = place === file ? '' : ` through ${place}`
          // A helper may have the tests themselves.
          return place === undefined || givesTag(texts.get(place) ?? '', name)
            ? []
            : [
                `${file} starts a program${through} that a machine may not have: give its tests the tag "${name}" (// @module-tag ${name} for all of them).`,
              ]
        })
    })
}

function hasTag(text: string, name: string): boolean {
  return new RegExp(`^// @module-tag ${name}$`, 'm').test(text) || givesTag(text, name)
}

function givesTag(text: string, name: string): boolean {
  return /\btags\b/.test(text) && text.includes(`'${name}'`)
}

/** The file and the helpers that it imports, which are no sources of a package. */
function reachedFrom(start: string, texts: ReadonlyMap<string, string>): readonly string[] {
  const reached = new Set([start])
  for (const file of reached) {
    for (const { specifier } of importsOf(file, texts.get(file) ?? '')) {
      const target = specifier.startsWith('.') ? join(dirname(file), specifier) : ''
      if (texts.has(target) && !target.endsWith('.test.ts')) reached.add(target)
    }
  }
  return [...reached]
}

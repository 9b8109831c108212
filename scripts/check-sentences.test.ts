import { expect, test } from 'vitest'

import { findUnsaid, type Sources } from './check-sentences.ts'

const sources = (files: Readonly<Record<string, string>>): Sources => ({
  read: (file) => files[file] ?? '',
  resolve: (specifier) => (specifier.startsWith('.') ? specifier.slice(2) : undefined),
})

test('What an entry exports without a doc comment is named, wherever it is defined', () => {
  const files = {
    'index.ts': `
export { said, unsaid as other } from './a.ts'
export * from './b.ts'
import { far } from './b.ts'
export { near } from 'elsewhere'`,
    'a.ts': `
/** Has one. */
export const said = 1

// This is none.
export const unsaid = 2
export const inner = 3`,
    'b.ts': `
export interface Far { readonly far: true }

/**
 * Has one of two lines:
 * this is the second.
 */
// eslint-disable-next-line
export async function near(): Promise<void> {}`,
  }
  expect(findUnsaid('index.ts', sources(files))).toEqual(['a.ts: unsaid', 'b.ts: Far'])
})

test('A function of several signatures has its sentence at one of them', () => {
  const text = `
/** Adds. */
export function add(one: number): number
export function add(one: string): string
export function add(one: unknown): unknown { return one }`
  expect(findUnsaid('a.ts', sources({ 'a.ts': text }))).toEqual([])
})

test('A name that is imported and then exported is looked up where it came from', () => {
  const files = { 'index.ts': `import { one as two } from './a.ts'\nexport { two }`, 'a.ts': 'export const one = 1' }
  expect(findUnsaid('index.ts', sources(files))).toEqual(['a.ts: one'])
})

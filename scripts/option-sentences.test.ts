import { expect, test } from 'vitest'

import { sentencesByFile, sentencesOf, withSentences } from './option-sentences.ts'

const source = `
export const limit = z.int().describe('The most pages.')

export const options = {
  waitFor: z
    .int()
    .meta({
      title: 'Wait',
      description: 'Waits before the page is read.',
    })
    .default(0),
  webhook: z.object({
    url: z.string().meta({ description: 'Where messages are sent.' }),
  }),
  url: z.string().describe('The page that is loaded.'),
  most: limit.optional(),
  limit,
}
`

const declaration = `export declare const options: {
    waitFor: z.ZodDefault<z.ZodInt>;
    webhook: z.ZodObject<{
        url: z.ZodString;
    }>;
    url: z.ZodString;
    /** Said by hand. */
    limit: z.ZodInt;
};`

test('an option of a declaration has the sentence of its schema above it', () => {
  const { own, named, values } = sentencesOf(source)
  expect(named).toContainEqual(['most', 'limit'])
  expect(named).toContainEqual(['limit', 'limit'])
  expect(values.get('limit')).toEqual(['The most pages.'])
  const said = withSentences(declaration, new Map([...own, ['url', ['The page that is loaded.']]]), own)
  expect(said).toContain('    /** Waits before the page is read. */\n    waitFor:')
  expect(said).toContain('    /** The page that is loaded. */\n    url:')
  expect(said).toContain('    /** Said by hand. */\n    limit:')
})

test('a name that means several things within options has no sentence', () => {
  const { own } = sentencesOf(source)
  expect(own.get('url')).toEqual(['Where messages are sent.', 'The page that is loaded.'])
  expect(withSentences(declaration, own, own)).toContain('ZodObject<{\n        url:')
})

test('an option without a sentence takes none of another option of that name, and one from another source takes its own', () => {
  const sources = new Map([
    [
      'packages/core/src/crawl.ts',
      "const crawl = z.object({\n  depth: z.int().describe('Maximum number of links.'),\n})\n",
    ],
    ['packages/core/src/map.ts', 'const map = z.object({\n  depth: z.int(),\n})\n'],
    ['packages/core/src/types.ts', 'export type Options = typeof crawl\n'],
    ['packages/answers/src/research.ts', 'const research = z.object({\n  depth: z.int(),\n})\n'],
  ])
  const declaration = 'export declare const one: z.ZodObject<{\n    depth: z.ZodInt;\n}>;\n'
  const declared = (file: string) => {
    const { own, all } = sentencesByFile(sources).get(file)!
    return withSentences(declaration, own, all)
  }
  expect(declared('packages/core/src/types.ts')).toContain('/** Maximum number of links. */')
  expect(declared('packages/core/src/map.ts')).toBe(declaration)
  expect(declared('packages/answers/src/research.ts')).toBe(declaration)
})

import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { expect, test } from 'vitest'

import { errorCodes } from '../../packages/ports/src/errors/codes.ts'
import { slugOf } from '../../docs/.vitepress/slug.ts'
import { pages, renew, withExamples } from '../../scripts/docs-tables.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

test.each(pages)('%s has the tables and programs of today; run `npx pnpm docs:tables` when it has not', (page) => {
  const text = readFileSync(root + page, 'utf8')
  expect(withExamples(renew(text))).toBe(text)
})

/** The anchors of a page, as GitHub and our site (`docs/.vitepress/config.ts`) make them of its headings. */
const anchorsOf = (file: string): readonly string[] =>
  [...readFileSync(file, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => slugOf(heading))

test('each link to a section leads to a heading', () => {
  const files = globSync(['*.md', 'docs/*.md', 'docs/decisions/*.md', 'packages/*/README.md'], { cwd: root })
  const links = files.flatMap((file) =>
    // Behind the name of a picture stands its theme.
    [...readFileSync(root + file, 'utf8').matchAll(/\]\(([^)\s#:]*)(?<!\.webp)#([^)\s]+)\)/g)].map(
      ([, to = '', anchor = '']) => ({
        link: `${file}: ${to}#${anchor}`,
        isThere: anchorsOf(to === '' ? root + file : join(root, file, '..', to)).includes(anchor),
      }),
    ),
  )
  expect(links.length).toBeGreaterThan(20)
  expect(links.filter(({ isThere }) => !isThere).map(({ link }) => link)).toEqual([])
})

test('each error code has a section with its cause and its fix', () => {
  const [, sections = ''] = readFileSync(`${root}docs/errors.md`, 'utf8').split('## Causes and fixes')
  const found = [...sections.matchAll(/^### `(\w+)`\n\n\*\*Cause\.\*\* .+\n\n\*\*Fix\.\*\* .+$/gm)]
  expect(found.map(([, code]) => code)).toEqual(Object.keys(errorCodes))
})

import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { expect, test } from 'vitest'

import { describeSettings } from '../../packages/node/src/describe-settings.ts'
import { errorCodes } from '../../packages/ports/src/errors/codes.ts'
import { errorIndex, errorPages } from '../../docs/.vitepress/error-pages.ts'
import { errorUrl, repositoryUrl, withoutExpressions } from '../../docs/.vitepress/markdown.ts'
import { withStill } from '../../docs/.vitepress/recordings.ts'
import { slugOf } from '../../docs/.vitepress/slug.ts'
import { withoutDeadAnchors } from '../../scripts/docs-api.ts'
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

const repository = 'https://github.com/harvestman/harvestman/blob/main/'

test.each([
  ['models.md', '../packages/ports/src/llm.ts', `${repository}packages/ports/src/llm.ts`],
  [
    'client.md',
    '../packages/client/README.md#errors-and-retries',
    `${repository}packages/client/README.md#errors-and-retries`,
  ],
  ['scale.md', 'deploy', `${repository}docs/deploy`],
  ['deployment.md', './deploy/nginx.conf', `${repository}docs/deploy/nginx.conf`],
  ['decisions/0001-node-and-majors.md', '../../CONTRIBUTING.md', `${repository}CONTRIBUTING.md`],
  ['decisions/0004-pages-are-read-in-workers.md', '../plugins.md#a-reading', undefined],
  ['crawl.md', 'map.md', undefined],
  ['crawl.md', '#traps', undefined],
  ['cli.md', 'https://example.com/a', undefined],
])('on the site, %s links %s to GitHub if it is no page of the site', (page, href, url) => {
  expect(repositoryUrl(page, href)).toBe(url)
})

test.each([
  ['errors.md#timeout', 'errors/timeout.md'],
  ['../errors.md#timeout', '../errors/timeout.md'],
  ['errors.md', undefined],
  ['http.md#errors', undefined],
])('on the site, %s leads to the page of the error', (href, url) => {
  expect(errorUrl(href)).toBe(url)
})

test('links of the exports lead only to sections that the site has', () => {
  const page = [
    '### open()',
    '[`Open`](#open-1) [`Gone`](#gone-1) [`size`](#property-size) [`key`](../core/plugin.md#property-key-1)',
    '### Open',
  ].join('\n')
  expect(withoutDeadAnchors(page).split('\n')[1]).toBe('[`Open`](#open-1) `Gone` `size` [`key`](../core/plugin.md)')
})

test('each link to a file of the repository leads to a file', () => {
  const files = globSync(['*.md', 'decisions/*.md'], { cwd: `${root}docs` })
  const targets = files.flatMap((file) =>
    [...readFileSync(`${root}docs/${file}`, 'utf8').matchAll(/\]\(([^)\s]+)\)/g)].flatMap(
      ([, href = '']) => repositoryUrl(file, href)?.slice(repository.length).replace(/#.*/, '') ?? [],
    ),
  )
  expect(targets.length).toBeGreaterThan(10)
  expect(targets.filter((target) => !existsSync(root + target))).toEqual([])
})

// Files that readers create.
const ofReaders: ReadonlySet<string> = new Set(['docs/examples/first.ts', 'docs/examples/example.ts'])

test('each file that the docs name exists', () => {
  const files = globSync(['*.md', 'docs/*.md', 'docs/decisions/*.md', 'packages/*/README.md'], { cwd: root })
  const paths =
    /(?<![\w/.@-])((?:test|packages|scripts|docs)\/[\w./-]*\.(?:conf|js|json|md|mjs|service|ts|txt|yaml))\b/g
  const named = files.flatMap((file) =>
    [...readFileSync(root + file, 'utf8').matchAll(paths)].map(([, path = '']) => ({ file, path })),
  )
  expect(named.length).toBeGreaterThan(200)
  const isThere = (file: string, path: string): boolean =>
    ofReaders.has(path) || existsSync(root + path) || existsSync(join(root, file, '..', path))
  expect(named.filter(({ file, path }) => !isThere(file, path))).toEqual([])
})

test('each environment variable that the docs name is read by the code', () => {
  const variables = /HARVESTMAN_[A-Z\d_]*[A-Z\d]/g
  const sources = globSync(['packages/*/src/**/*.ts', 'packages/create-harvestman/templates/**/*.ts', 'scripts/*.ts'], {
    cwd: root,
    exclude: ['**/node_modules/**', '**/*.test.ts'],
  })
  const read = new Set(sources.flatMap((file) => readFileSync(root + file, 'utf8').match(variables) ?? []))
  for (const { names } of describeSettings()) for (const name of names) read.add(name)
  const files = globSync(['*.md', 'docs/*.md', 'packages/*/README.md'], { cwd: root })
  const named = files.flatMap((file) =>
    (readFileSync(root + file, 'utf8').match(variables) ?? []).map((name) => `${file}: ${name}`),
  )
  expect(named.length).toBeGreaterThan(100)
  expect(named.filter((one) => !read.has(one.split(': ')[1] ?? ''))).toEqual([])
})

test('placeholders in double braces are no expressions on the site', () => {
  expect(withoutExpressions('<code>{{JOB_ID}}</code> {a}')).toBe('<code>&#123;&#123;JOB_ID}}</code> {a}')
})

test('each code block is closed, by a fence that names no language', () => {
  const files = globSync(['*.md', 'docs/**/*.md', 'packages/*/README.md'], {
    cwd: root,
    exclude: ['**/node_modules/**'],
  })
  const wrong = files.flatMap((file) => {
    let isInside = false
    return readFileSync(join(root, file), 'utf8')
      .split('\n')
      .flatMap((line, index) => {
        const [, language] = /^ *```(\w*)/.exec(line) ?? []
        if (language === undefined) return []
        isInside = !isInside
        return isInside || language === '' ? [] : [`${file}:${index + 1}`]
      })
      .concat(isInside ? [`${file}: the last block is open`] : [])
  })
  expect(files.length).toBeGreaterThan(50)
  expect(wrong).toEqual([])
})

test('no code block is empty', () => {
  const files = globSync(['*.md', 'docs/**/*.md', 'packages/*/README.md'], {
    cwd: root,
    exclude: ['**/node_modules/**'],
  })
  expect(files.filter((file) => /^```\w+\n+```$/m.test(readFileSync(join(root, file), 'utf8')))).toEqual([])
})

test('an example replaces an empty block below its mark, and nothing after it', () => {
  const page = '<!-- example: lists.ts -->\n\n```ts\n```\n\nText.\n\n```json\n{}\n```\n'
  expect(withExamples(page)).toMatch(
    /^<!-- example: lists\.ts -->\n\n```ts\nimport [^]*\n```\n\nText\.\n\n```json\n\{\}\n```\n$/,
  )
})

const errorsText = readFileSync(`${root}docs/errors.md`, 'utf8')

test('each error code has one section with its cause, its fix', () => {
  const [, sections = '', ...others] = errorsText.split('## Causes and fixes')
  const found = [...sections.matchAll(/^### `(\w+)`\n\n\*\*Cause\.\*\* .+\n\n\*\*Fix\.\*\* .+$/gm)]
  expect(found.map(([, code]) => code)).toEqual(Object.keys(errorCodes))
  expect(others).toEqual([])
})

test('an option that may be null says so with its other type', () => {
  const line = renew(readFileSync(`${root}docs/reference.md`, 'utf8')).match(/^\| `checkPromptInjection` .*$/m)?.[0]
  expect(line).toContain('| true or false, or null |')
})

test('each error has a page of its own, made of the one text', () => {
  const made = errorPages(errorsText)
  expect([...made.keys()]).toEqual(Object.keys(errorCodes))
  const page = made.get('not_found') ?? ''
  expect(page).toMatch(/^# `not_found`\n\nThe id does not exist/)
  expect(page).toMatch(/\*\*Cause\.\*\* .+\n\n\*\*Fix\.\*\* /)
  expect(page).toContain('**Related.** [`forbidden`](forbidden.md), ')
  expect(page).toContain('| 404 | `NOT_FOUND` | no |')
  // Only its own section, and links that lead to pages from the folder of the errors.
  expect(page).not.toContain('###')
  expect(made.get('invalid_request')).toContain('](../reference.md)')
})

test('the index on the site leads to the page of each error, and repeats none', () => {
  const index = errorIndex(errorsText)
  expect(Object.keys(errorCodes).filter((code) => !index.includes(`[\`${code}\`](errors/${code}.md)`))).toEqual([])
  expect(index).not.toContain('**Cause.**')
})

test('each recording is short, animated, has a still picture, and is not on the first page', () => {
  const folder = `${root}docs/pictures/`
  const recordings = globSync('*-recording.webp', { cwd: folder })
  expect(recordings.length).toBeGreaterThan(1)
  for (const name of recordings) {
    const bytes = readFileSync(folder + name)
    expect(bytes.byteLength).toBeLessThan(150_000)
    // The chunk of the format that says how frames follow each other.
    expect(bytes.includes('ANIM')).toBe(true)
    const still = /srcset="([^"]+)"/.exec(withStill('<img>', name))?.[1] ?? ''
    expect(readFileSync(folder + still).includes('ANIM')).toBe(false)
  }
  expect(readFileSync(`${root}docs/index.md`, 'utf8')).not.toContain('-recording')
})

// Writes docs/api: what each package exports, from its types and their comments. A part of `pnpm docs:site`; nothing of it is kept.
import { execFileSync } from 'node:child_process'
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

import { slugOf } from '../docs/.vitepress/slug.ts'
import { publishedFolders } from './private-packages.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const docs = join(root, 'docs')
const pages = join(docs, 'api')
// One module for each entry of a package, so that a page is called what a program imports.
const modules = join(docs, '.vitepress/cache/api')

interface Manifest {
  readonly exports?: Readonly<Record<string, unknown>>
}

function entriesOf(folder: string): readonly { readonly name: string; readonly source: string }[] {
  const { exports = {} } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as Manifest
  const sources = Object.entries(exports).filter(([, source]) => typeof source === 'string' && source.endsWith('.ts'))
  return sources.map(([entry, source]) => ({
    name: join(folder.replace('packages/', ''), entry),
    source: join(root, folder, source as string),
  }))
}

export function writeApi(): void {
  for (const folder of [pages, modules]) rmSync(folder, { recursive: true, force: true })
  const entries = publishedFolders.flatMap(entriesOf)
  for (const { name, source } of entries) {
    const file = join(modules, `${name}.ts`)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, `export * from '${relative(dirname(file), source)}'\n`)
  }
  writeFileSync(join(modules, 'tsconfig.json'), '{ "extends": "../../../../tsconfig.json", "include": ["**/*.ts"] }')
  const typedoc = createRequire(join(docs, 'package.json')).resolve('typedoc/package.json')
  execFileSync(process.execPath, [join(dirname(typedoc), 'bin/typedoc'), '--options', join(docs, 'typedoc.json')], {
    cwd: docs,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  rmSync(modules, { recursive: true })
  // The site takes no HTML in its pages.
  for (const page of globSync('**/*.md', { cwd: pages })) {
    const text = readFileSync(join(pages, page), 'utf8')
    writeFileSync(join(pages, page), withoutDeadAnchors(text.replaceAll(/<a id="[^"]*"><\/a> ?/g, '')))
  }
}

/**
 * Corrects links to sections that the site has under another number, or not at all: properties are rows of tables there. Links to
 * them become text, or lead to their page if that is another one.
 */
export function withoutDeadAnchors(page: string): string {
  const counts = new Map<string, number>()
  const anchors = new Set<string>()
  for (const [, heading = ''] of page.matchAll(/^#{1,6} (.+)$/gm)) {
    const slug = slugOf(heading.replaceAll('\\', ''))
    const count = counts.get(slug) ?? 0
    counts.set(slug, count + 1)
    anchors.add(count === 0 ? slug : `${slug}-${count}`)
  }
  const linked = page.replaceAll(/(\]\([\w./-]+\.md)#property-[\w-]+\)/g, '$1)')
  return linked.replaceAll(/\[(`[^`]+`)\]\(#([\w-]+)\)/g, (link, text: string, anchor: string) => {
    if (anchors.has(anchor)) return link
    const first = anchor.replace(/-\d+$/, '')
    return anchors.has(first) ? `[${text}](#${first})` : text
  })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeApi()

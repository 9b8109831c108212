import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseHtml } from '../../../packages/html/src/parse/parse.ts'
import { writeMarkdown } from '../../../packages/html/src/markdown/write-markdown.ts'

export type Convert = (html: string) => string | Promise<string>
export type Render = (markdown: string) => string

export interface Named<T> {
  readonly name: string
  readonly run: T | undefined
}

// Peers are other people's packages: they stand in a `node_modules` outside the project, or in that of the tests, and may
// be missing.
/* oxlint-disable typescript/no-unsafe-member-access, typescript/no-unsafe-call, typescript/no-unsafe-return, typescript/no-unsafe-assignment */
// oxlint-disable-next-line typescript/no-explicit-any -- a package that the project does not know has no types here
type Foreign = any

type Load = (name: string) => Promise<Foreign>

const ownFolder = join(import.meta.dirname, '..', '..')

function loaderFrom(folder = ownFolder): Load {
  return async (name) => {
    const require = createRequire(join(folder, 'package.json'))
    try {
      return await import(pathToFileURL(require.resolve(name)).href)
    } catch {
      const manifest = require(join(folder, 'node_modules', name, 'package.json'))
      const entry =
        manifest.exports?.['.']?.import ??
        manifest.exports?.import ??
        manifest.exports ??
        manifest.module ??
        manifest.main
      const file = typeof entry === 'string' ? entry : (entry?.default ?? entry?.node?.default)
      return import(pathToFileURL(join(folder, 'node_modules', name, file)).href)
    }
  }
}

async function make<T>(name: string, build: () => Promise<T>): Promise<Named<T>> {
  try {
    return { name, run: await build() }
  } catch (error) {
    if (process.env.PEERS_DEBUG) console.error(name, error)
    return { name, run: undefined }
  }
}

const firstOf = (module: Foreign, ...names: string[]): Foreign =>
  names.map((name) => module[name] ?? module.default?.[name]).find((found) => found !== undefined)

export const ours: Named<Convert> = { name: 'harvestman', run: (html) => writeMarkdown(parseHtml(html).root) }

async function turndownWith(load: Load, plugin: string | undefined, onLinkedom: boolean): Promise<Convert> {
  const Turndown = (await load('turndown')).default
  const service = new Turndown({ headingStyle: 'atx', codeBlockStyle: 'fenced' })
  if (plugin) service.use(firstOf(await load(plugin), 'gfm'))
  if (!onLinkedom) return (html) => service.turndown(html)
  const { parseHTML } = await load('linkedom')
  return (html) => service.turndown(parseHTML(`<!doctype html><html><body>${html}</body></html>`).document.body)
}

export async function loadConverters(folder: string | undefined): Promise<readonly Named<Convert>[]> {
  const load = loaderFrom(folder)
  const peers = [
    make('@mdream/js', async () => {
      const convert = firstOf(await load('@mdream/js'), 'htmlToMarkdown')
      return (html: string) => convert(html)
    }),
    make('mdream (native)', async () => {
      const convert = firstOf(await load('mdream'), 'htmlToMarkdown')
      return (html: string) => convert(html)
    }),
    make('turndown', () => turndownWith(load, undefined, false)),
    make('turndown on linkedom', () => turndownWith(load, undefined, true)),
    make('turndown + @joplin gfm', () => turndownWith(load, '@joplin/turndown-plugin-gfm', false)),
    make('turndown + @truto gfm', () => turndownWith(load, '@truto/turndown-plugin-gfm', false)),
    make('turndown + turndown-plugin-gfm', () => turndownWith(load, 'turndown-plugin-gfm', false)),
    make('turndown on linkedom + @joplin', () => turndownWith(load, '@joplin/turndown-plugin-gfm', true)),
    make('node-html-markdown', async () => {
      const { NodeHtmlMarkdown } = await load('node-html-markdown')
      const converter = new NodeHtmlMarkdown()
      return (html: string) => converter.translate(html)
    }),
    make('webforai', async () => {
      const convert = firstOf(await load('webforai'), 'htmlToMarkdown')
      return (html: string) => convert(html, { extractors: false })
    }),
    make('html-to-md', async () => firstOf(await load('html-to-md'), 'default')),
    make('@kreuzberg/html-to-markdown-node', async () => {
      const convert = firstOf(await load('@kreuzberg/html-to-markdown-node'), 'convert')
      return (html: string) => {
        const result = convert(html)
        return typeof result === 'string' ? result : result.content
      }
    }),
  ]
  return [ours, ...(await Promise.all(peers))]
}

export interface Renderers {
  readonly commonmark: Named<Render>
  readonly gfm: Named<Render>
  readonly others: readonly Named<Render>[]
}

export async function loadRenderers(folder: string | undefined): Promise<Renderers> {
  const load = loaderFrom(folder)
  const micromark = await make('micromark + GFM', async () => {
    const { micromark } = await load('micromark')
    const { gfmTable, gfmTableHtml } = await load('micromark-extension-gfm-table')
    const { gfmStrikethrough, gfmStrikethroughHtml } = await load('micromark-extension-gfm-strikethrough')
    const { gfmTaskListItem, gfmTaskListItemHtml } = await load('micromark-extension-gfm-task-list-item')
    const options = {
      allowDangerousHtml: true,
      allowDangerousProtocol: true,
      extensions: [gfmTable(), gfmStrikethrough(), gfmTaskListItem()],
      htmlExtensions: [gfmTableHtml(), gfmStrikethroughHtml(), gfmTaskListItemHtml()],
    }
    return (markdown: string) => micromark(markdown, options)
  })
  const commonmark = await make('commonmark.js', async () => {
    const { Parser, HtmlRenderer } = await load('commonmark')
    return (markdown: string) => new HtmlRenderer().render(new Parser().parse(markdown))
  })
  const markdownIt = await make('markdown-it', async () => {
    const build = (await load('markdown-it')).default
    const renderer = build({ html: true })
    renderer.validateLink = () => true
    return (markdown: string) => withTaskBoxes(renderer.render(markdown))
  })
  const marked = await make('marked', async () => {
    const { marked } = await load('marked')
    return (markdown: string) => marked.parse(markdown, { gfm: true })
  })
  return { commonmark, gfm: micromark, others: [markdownIt, marked] }
}

/** markdown-it leaves the boxes of task lists as text. */
export function withTaskBoxes(html: string): string {
  return html.replaceAll(/(<li>(?:\s*<p>)?)\[([ xX])\] /g, (_, start: string, mark: string) => {
    return `${start}<input type="checkbox"${mark === ' ' ? '' : ' checked=""'} disabled=""> `
  })
}

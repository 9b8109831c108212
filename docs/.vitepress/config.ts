import { existsSync, globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import { defineConfig, type DefaultTheme } from 'vitepress'

import { errorIndex } from './error-pages.ts'
import { errorUrl, repositoryUrl, withoutExpressions } from './markdown.ts'
import { withStill } from './recordings.ts'
import { slugOf } from './slug.ts'

const page = (text: string, name: string) => ({ text, link: `/${name}` })
const group = (text: string, items: DefaultTheme.SidebarItem[]) => ({ text, collapsed: true, items })

/** Returns the pages below a folder of docs/, sorted, without their extension. */
const pagesIn = (folder: string): readonly string[] =>
  globSync('**/*.md', { cwd: fileURLToPath(new URL(`../${folder}`, import.meta.url)) })
    .map((file) => file.replace(/\.md$/, ''))
    .toSorted()

const titleOf = (name: string): string => {
  const text = readFileSync(fileURLToPath(new URL(`../${name}.md`, import.meta.url)), 'utf8')
  return /^# (.+)$/m.exec(text)?.[1] ?? name
}

// Written by scripts/docs-api.ts before the site is built; without them the site is built all the same.
const modules = pagesIn('api')
  .filter((name) => name !== 'index')
  .map((name) => page(`@harvestman/${name}`, `api/${name}`))

const decisions = pagesIn('decisions').map((name) => page(titleOf(`decisions/${name}`), `decisions/${name}`))

const reference = [
  page('Every option', 'reference'),
  page('Types', 'types'),
  page('HTTP API', 'http'),
  page('Configuration', 'configuration'),
  page('Errors', 'errors'),
  page('Compatibility', 'compatibility'),
  page('Changelog and versions', 'changelog'),
  ...(modules.length > 0 ? [group('What packages export', modules)] : []),
]

const sidebar: DefaultTheme.SidebarItem[] = [
  group('Get started', [
    page('Quick start', 'quick-start'),
    page('Which package do I need', 'which-package'),
    page('Command line', 'cli'),
    page('Web page', 'page'),
    page('Cookbook', 'cookbook'),
    page('Troubleshooting', 'troubleshooting'),
    page('FAQ', 'faq'),
    page('Comparison', 'comparison'),
    group('Move from another tool', [
      page('Firecrawl', 'migrate-firecrawl'),
      page('Crawlee', 'migrate-crawlee'),
      page('Puppeteer and Readability', 'migrate-puppeteer'),
      page('Crawl4AI', 'migrate-crawl4ai'),
      page('Scrapy', 'migrate-scrapy'),
    ]),
  ]),
  group('Guides', [
    group('Read pages and files', [
      page('Content and Markdown', 'content'),
      page('PDF', 'pdf'),
      page('Scans and images', 'scans'),
      page('File formats', 'files'),
      page('Office files and mails', 'documents'),
      page('Browser', 'browser'),
    ]),
    group('Get data', [
      page('Structured data', 'structured-data'),
      page('Learned extractors', 'extractors'),
      page('Site APIs', 'site-apis'),
      page('Datasets', 'datasets'),
    ]),
    group('Crawl sites', [
      page('Crawls and batches', 'crawl'),
      page('Map', 'map'),
      page('Incremental crawls', 'recrawl'),
      page('Good manners', 'manners'),
      page('Webhooks', 'webhooks'),
    ]),
    group('Watch for changes', [page('Change tracking', 'changes'), page('Monitors', 'monitors')]),
    group('Search and models', [
      page('Search', 'search'),
      page('Answers from the web', 'answers'),
      page('Language models', 'models'),
      page('Tools for models (MCP)', 'mcp'),
    ]),
    group('Drive a browser', [page('Live browsers', 'interact'), page('Scripts', 'scripts')]),
    group('Run a server', [
      page('Your own server', 'own-server'),
      page('Typed client', 'client'),
      page('Deployment', 'deployment'),
      page('Many machines', 'scale'),
      page('Teams and keys', 'teams'),
      page('Credits', 'credits'),
      page('Security model', 'security-model'),
    ]),
    group('Test and extend', [
      page('Your first plugin', 'first-plugin'),
      page('Plugin reference', 'plugins'),
      page('Record and replay', 'record'),
      page('Test against redesigns', 'drift'),
    ]),
  ]),
  group('Reference', reference),
  group('Internals', [
    page('Architecture', 'architecture'),
    page('Concepts', 'concepts'),
    page('Reliability', 'reliability'),
    page('Security', 'security'),
    page('Benchmarks', 'benches'),
    page('Dependencies', 'dependencies'),
    group('Decisions', decisions),
  ]),
]

const { version } = JSON.parse(readFileSync(new URL('../../packages/cli/package.json', import.meta.url), 'utf8')) as {
  readonly version: string
}

// Written by scripts/docs-site.ts. Without them the sections stay in their index.
const hasErrorPages = existsSync(fileURLToPath(new URL('../errors', import.meta.url)))

export default defineConfig({
  title: 'Harvestman',
  description: 'Turn any URL into clean content: an open web-data engine for your own process.',
  head: [['link', { rel: 'icon', href: '/icon.svg', type: 'image/svg+xml' }]],
  cleanUrls: false,
  srcExclude: ['node_modules/**', 'examples/**', 'recipes/**'],
  // Docs write placeholders as <name>; only fenced HTML is meant.
  markdown: {
    html: false,
    image: { lazyLoading: true },
    anchor: { slugify: slugOf },
    config: (md) => {
      // Marks around generated tables are for the script that writes them.
      md.core.ruler.before('normalize', 'without-marks', (state) => {
        state.src = state.src.replaceAll(/^<!--[^>]*-->$/gm, '')
        if (hasErrorPages && state.env?.relativePath === 'errors.md') state.src = errorIndex(state.src)
      })
      // Files that are not pages of the site are linked on GitHub, and errors at their own pages.
      md.core.ruler.after('inline', 'repository-links', (state) => {
        for (const { children } of state.tokens) {
          for (const link of children ?? []) {
            const href = link.type === 'link_open' ? link.attrGet('href') : null
            if (href === null) continue
            const url =
              (hasErrorPages ? errorUrl(href) : undefined) ?? repositoryUrl(String(state.env?.relativePath ?? ''), href)
            if (url !== undefined) link.attrSet('href', url)
          }
        }
      })
      const { code_inline: code, text, image } = md.renderer.rules
      md.renderer.rules.code_inline = (...given) => withoutExpressions(code?.(...given) ?? '')
      md.renderer.rules.text = (...given) => withoutExpressions(text?.(...given) ?? '')
      md.renderer.rules.image = (tokens, index, ...rest) =>
        withStill(image?.(tokens, index, ...rest) ?? '', tokens[index]?.attrGet('src') ?? '')
    },
  },
  themeConfig: {
    logo: '/icon.svg',
    sidebar,
    nav: [
      page('Quick start', 'quick-start'),
      page('Web page', 'page'),
      page('HTTP API', 'http'),
      page('Typed client', 'client'),
      page('Your first plugin', 'first-plugin'),
      page('Reference', 'reference'),
      page(version === '0.0.0' ? 'Not released yet' : `Version ${version}`, 'changelog'),
    ],
    search: {
      provider: 'local',
      options: {
        // What packages export is found by its sidebar and in editors. Without it the index is a fraction, and guides come first.
        // Pages on the project itself are found by the sidebar, too: the index is loaded before the first search.
        // Nobody searches for the figures in tables.
        _render: (source, env, md) =>
          /^(?:api|decisions)\/|^(?:architecture|benches|changelog|comparison|concepts|dependencies|reliability|security-model)\.md$/.test(
            env.relativePath,
          )
            ? ''
            : md.render(source, env).replaceAll(/<td[^>]*>[\d.,%×–\s]+<\/td>/g, ''),
      },
    },
    outline: [2, 3],
    socialLinks: [{ icon: 'github', link: 'https://github.com/harvestman/harvestman' }],
    editLink: { pattern: 'https://github.com/harvestman/harvestman/edit/main/docs/:path', text: 'Edit this page' },
  },
})

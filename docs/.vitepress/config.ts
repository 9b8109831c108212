import { existsSync, globSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import { defineConfig } from 'vitepress'

import { errorIndex } from './error-pages.ts'
import { withStill } from './recordings.ts'
import { slugOf } from './slug.ts'

const page = (text: string, name: string) => ({ text, link: `/${name}` })

interface Section {
  readonly text: string
  readonly collapsed?: boolean
  readonly items: readonly ReturnType<typeof page>[]
}

// Guides for programs, then for servers, for people who come from another tool, for authors of plugins, and the reference.
const sidebar: Section[] = [
  {
    text: 'Guides',
    items: [
      page('Quick start', 'quick-start'),
      page('Content and Markdown', 'content'),
      page('Structured data', 'understanding'),
      page('Crawls and batches', 'jobs'),
      page('Crawl', 'crawl'),
      page('Map', 'map'),
      page('Search', 'search'),
      page('Answers from the web', 'answers'),
      page('Change tracking', 'changes'),
      page('Monitors', 'monitors'),
      page('Webhooks', 'webhooks'),
      page('Browser', 'browser'),
      page('Live browsers', 'interact'),
      page('Scripts', 'scripts'),
      page('PDF', 'pdf'),
      page('Office files', 'documents'),
      page('Language models', 'models'),
      page('Tools for models (MCP)', 'mcp'),
      page('Types', 'types'),
      page('Cookbook', 'cookbook'),
      page('Known kinds', 'known-kinds'),
      page('Lists', 'lists'),
      page('Datasets', 'datasets'),
      page('Learned extractors', 'extractors'),
      page('Test against redesigns', 'drift'),
      page('Incremental crawls', 'recrawl'),
      page('Record and replay', 'record'),
    ],
  },
  {
    text: 'Run a server',
    items: [
      page('Command line', 'cli'),
      page('Web page', 'page'),
      page('HTTP API', 'http'),
      page('Typed client', 'client'),
      page('Your own server', 'own-server'),
      page('Deployment', 'deployment'),
      page('Small hosts', 'small-hosts'),
      page('Configuration', 'configuration'),
      page('Teams and keys', 'teams'),
      page('Credits', 'credits'),
      page('Many machines', 'scale'),
      page('Reliability', 'reliability'),
      page('Security', 'security'),
    ],
  },
  {
    text: 'Move from another tool',
    items: [
      page('Firecrawl', 'migrate-firecrawl'),
      page('Crawlee', 'migrate-crawlee'),
      page('Puppeteer and Readability', 'migrate-puppeteer'),
      page('Crawl4AI', 'migrate-crawl4ai'),
      page('Scrapy', 'migrate-scrapy'),
      page('Compatible clients', 'compatibility'),
    ],
  },
  { text: 'Extend', items: [page('Plugins', 'plugins'), page('Concepts', 'concepts')] },
  {
    text: 'Reference',
    items: [
      page('Every option', 'reference'),
      page('Errors', 'errors'),
      page('Differences from the public API', 'our-choices'),
      page('Changelog', 'changelog'),
      page('Versions', 'versions'),
      page('Benchmarks', 'benches'),
      page('Dependencies', 'dependencies'),
    ],
  },
]

// Written by scripts/docs-api.ts before the site is built; without them the site is built all the same.
const modules = globSync('**/*.md', { cwd: fileURLToPath(new URL('../api', import.meta.url)) })
  .map((file) => file.replace(/\.md$/, ''))
  .filter((name) => name !== 'index')
  .toSorted()
if (modules.length > 0) {
  const items = modules.map((name) => page(`@harvestman/${name}`, `api/${name}`))
  sidebar.push({ text: 'What packages export', collapsed: true, items })
}

// Written by scripts/docs-site.ts. Without them the sections stay in their index.
const hasErrorPages = existsSync(fileURLToPath(new URL('../errors', import.meta.url)))

export default defineConfig({
  title: 'Harvestman',
  description: 'Turn any URL into clean content: an open web-data engine for your own process.',
  head: [['link', { rel: 'icon', href: '/icon.svg', type: 'image/svg+xml' }]],
  cleanUrls: false,
  srcExclude: ['node_modules/**', 'examples/**', 'recipes/**'],
  // Pages of packages and files of the repository are read there, not here.
  ignoreDeadLinks: [
    /^(\.\/)?(\.\.\/)+(packages|scripts|test|CONTRIBUTING|SECURITY|README)/,
    /examples\//,
    /^(\.\/)?deploy/,
  ],
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
      const { image } = md.renderer.rules
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
      page('Plugins', 'plugins'),
      page('Reference', 'reference'),
    ],
    search: {
      provider: 'local',
      options: {
        // What packages export is found by its sidebar and in editors. Without it the index is a fraction, and guides come first.
        _render: (source, env, md) => (env.relativePath.startsWith('api/') ? '' : md.render(source, env)),
      },
    },
    outline: [2, 3],
  },
})

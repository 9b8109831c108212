import { globSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import { defineConfig } from 'vitepress'

import { slugOf } from './slug.ts'

const page = (text: string, name: string) => ({ text, link: `/${name}` })

interface Section {
  readonly text: string
  readonly collapsed?: boolean
  readonly items: readonly ReturnType<typeof page>[]
}

// Three doors for three readers, then what all of them look up.
const sidebar: Section[] = [
  {
    text: 'In your program',
    items: [
      page('Quick start', 'quick-start'),
      page('Content', 'content'),
      page('Structured data', 'understanding'),
      page('Models', 'models'),
      page('Changes', 'changes'),
      page('Many pages', 'jobs'),
      page('Crawl', 'crawl'),
      page('Map', 'map'),
      page('Search', 'search'),
      page('Answers', 'answers'),
      page('Browser', 'browser'),
      page('Interact', 'interact'),
      page('PDF', 'pdf'),
      page('Office files', 'documents'),
      page('Record and replay', 'record'),
      page('Types', 'types'),
      page('Errors', 'errors'),
      page('Cookbook', 'cookbook'),
    ],
  },
  {
    text: 'Your own server',
    items: [
      page('Command line', 'cli'),
      page('HTTP', 'http'),
      page('In a server of yours', 'own-server'),
      page('Deployment', 'deployment'),
      page('Configuration', 'configuration'),
      page('Teams and keys', 'teams'),
      page('Credits', 'credits'),
      page('Webhooks', 'webhooks'),
      page('Many machines', 'scale'),
      page('Compatibility', 'compatibility'),
      page('Reliability', 'reliability'),
      page('Security', 'security'),
      page('Moving from Firecrawl', 'migrate-firecrawl'),
      page('Moving from Crawlee', 'migrate-crawlee'),
    ],
  },
  { text: 'A plugin', items: [page('Plugins', 'plugins'), page('Concepts', 'concepts')] },
  {
    text: 'Reference',
    items: [
      page('Every option', 'reference'),
      page('Our choices', 'our-choices'),
      page('Renamed', 'renamed'),
      page('Benches', 'benches'),
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

export default defineConfig({
  title: 'Harvestman',
  description: 'A URL in, clean content out: an open web-data engine for your own process.',
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
    anchor: { slugify: slugOf },
    config: (md) => {
      // Marks around generated tables are for the script that writes them.
      md.core.ruler.before('normalize', 'without-marks', (state) => {
        state.src = state.src.replaceAll(/^<!--[^>]*-->$/gm, '')
      })
    },
  },
  themeConfig: {
    logo: '/icon.svg',
    sidebar,
    nav: [page('Quick start', 'quick-start'), page('Reference', 'reference')],
    search: { provider: 'local' },
    outline: [2, 3],
  },
})

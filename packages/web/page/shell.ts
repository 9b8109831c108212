import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import type { Plugin } from 'vite'

import { everyday, legs, views } from './src/lib/views.ts'

const theme = fileURLToPath(new URL('theme.js', import.meta.url))

/** Vite plugin that adds the page header and the theme to the HTML, so that they are painted before any script runs. */
export function shell(): Plugin {
  return {
    name: 'shell',
    buildStart() {
      this.addWatchFile(theme)
      this.emitFile({ type: 'asset', name: 'theme.js', source: readFileSync(theme) })
    },
    transformIndexHtml: {
      order: 'post',
      handler: (html, { bundle = {} }) => {
        const script = Object.values(bundle).find((file) => file.type === 'asset' && file.names.includes('theme.js'))
        const [style = ''] = html.match(/ *<link rel="stylesheet".*>\n/) ?? []
        // The first paint needs only these two files, so they load before the scripts.
        const first = `    <script src="./${script?.fileName ?? ''}"></script>\n${style}`
        return html
          .replace(style, '')
          .replace(/ *<script type="module"/, (found) => first + found)
          .replace('<div id="app">', `<div id="app">${top()}`)
      },
    },
  }
}

function top(): string {
  const shown = views.filter(([id]) => everyday.includes(id))
  const more = '<details class="more"><summary>More</summary></details>'
  const links = shown.map(([id, label]) => `<a href="#/${id}">${label}</a>`).join('') + more
  const mark = `<svg class="mark" viewBox="0 0 32 32" width="24" height="24" aria-hidden="true"><path d="${legs}"/><circle cx="16" cy="16" r="4.5"/></svg>`
  return `<header class="top"><a class="brand" href="#/try">${mark}Harvestman</a><nav aria-label="Views">${links}</nav></header><main id="main"><p class="muted">Loading…</p></main>`
}

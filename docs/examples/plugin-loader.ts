import { createEngine } from '@harvestman/core'
import { defineLoader, definePlugin, pass } from '@harvestman/core/plugin'

/** Serves saved pages without network requests. */
export function savedPages(pages: ReadonlyMap<string, string>) {
  return defineLoader({
    name: 'saved',
    cost: 0,
    load: async ({ url }) => {
      const html = pages.get(url.href)
      if (html === undefined) return pass('no saved copy')
      return {
        url: url.href,
        status: 200,
        headers: { 'content-type': 'text/html; charset=utf-8' },
        body: new TextEncoder().encode(html),
        captured: {},
        actions: {},
        proxyUsed: 'basic',
        warnings: [],
      }
    },
  })
}

export async function readSaved(url: string, pages: ReadonlyMap<string, string>): Promise<string> {
  const engine = createEngine({ plugins: [definePlugin({ name: 'saved', loaders: [savedPages(pages)] })] })
  try {
    const { markdown } = await engine.scrape({ url })
    return markdown
  } finally {
    await engine.close()
  }
}

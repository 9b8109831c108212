import { defineField } from '../plugin/define.ts'
import { pageText } from './readings.ts'

/**
 * The page as a DOM document, for formats that need one. It is built on the main thread and is slow, so prefer other fields.
 */
export const dom = defineField({
  name: 'dom',
  needs: { pageText },
  derive: async ({ pageText }) => {
    // Imported on first use: most engines never need it, and it is their largest dependency.
    const { toDocument } = await import('./to-document.ts')
    const { parseHtml } = await import('@harvestman/html/internal')
    return toDocument(parseHtml(pageText).root)
  },
})

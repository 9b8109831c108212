import { defineField } from '../plugin/define.ts'
import { pageText } from './readings.ts'

/**
 * The whole page as a document with the methods of a browser's, for formats that need them. It is built on the main
 * thread when a format asks for it, so prefer the other fields where they do.
 */
export const dom = defineField({
  name: 'dom',
  needs: { pageText },
  derive: async ({ pageText }) => {
    // Most engines never need it, and it is the largest library there is here.
    const { toDocument } = await import('./to-document.ts')
    const { parseHtml } = await import('@harvestman/html/internal')
    return toDocument(parseHtml(pageText).root)
  },
})

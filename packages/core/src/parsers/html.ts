import { defineParser } from '../plugin/define.ts'

/** Passes the bytes on: they are decoded and read where no page can stop the process. */
export const htmlParser = defineParser({
  name: 'html',
  accepts: ['text/html', 'application/xhtml+xml'],
  fromPageAlone: true,
  parse: (bytes, { contentType }) => ({ html: { bytes, contentType } }),
})

import { defineParser } from '../plugin/define.ts'

/** Passes the bytes on. They are decoded and parsed in a thread, where no page can block the process. */
export const htmlParser = defineParser({
  name: 'html',
  accepts: ['text/html', 'application/xhtml+xml'],
  fromPageAlone: true,
  parse: (bytes, { contentType }) => ({ html: { bytes, contentType } }),
})

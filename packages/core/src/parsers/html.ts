import { defineParser } from '../plugin/define.ts'

/** Passes the bytes on. They are decoded and parsed in a thread, where no page can block the process. */
export const htmlParser = defineParser({
  name: 'html',
  accepts: ['text/html', 'application/xhtml+xml'],
  files: [
    { format: 'html', extensions: ['html', 'htm'], mimeTypes: ['text/html'] },
    { format: 'xhtml', extensions: ['xhtml'], mimeTypes: ['application/xhtml+xml'] },
  ],
  fromPageAlone: true,
  parse: (bytes, { contentType }) => ({ html: { bytes, contentType } }),
})

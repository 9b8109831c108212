// For the readers of other files whose pages have recognized text.
export { scopeOf } from './ocr/error-scope.ts'
export { itemsOf } from './ocr/items.ts'
export { ocrPort } from './ocr/port.ts'
export { pagesNamed } from './pages-named.ts'
export { makePdfThreads, writePages, type PdfThreads } from './threads.ts'
export { makePageImages, pageImageLimits, withoutImageWarning, type PageImages } from './page-images.ts'
export type { PageItems } from './types.ts'
export { encodePng } from './draw/png.ts'

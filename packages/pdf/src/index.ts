export { pdf, type PdfOptions } from './pdf.ts'

export { httpOcr, type HttpOcrOptions } from './http/http-ocr.ts'
export { ocr, type MakeOcr, type OcrPluginOptions } from './ocr.ts'
export { ocrPort } from '@harvestman/pdf/pages'
export { tesseract, type TesseractOptions } from './tesseract/tesseract.ts'

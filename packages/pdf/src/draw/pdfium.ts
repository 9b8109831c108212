import { loadOptional } from '@harvestman/toolbox/load-optional'
import type { PDFiumDocument, PDFiumPage } from '@hyzyla/pdfium'

export type PdfFile = PDFiumDocument
export type PdfPage = PDFiumPage

/** Opens a PDF. */
export type OpenPdf = (bytes: Uint8Array, password?: string) => Promise<PdfFile>

interface Library {
  readonly loadDocument: OpenPdf
}

let library: Promise<Library> | undefined

/** Loads PDFium, once. Rejects with `not_configured` if it is not installed. */
export function loadLibrary(): Promise<Library> {
  library ??= loadOptional('@hyzyla/pdfium', 'Drawing pages of a PDF', () => import('@hyzyla/pdfium'))
    .then(({ PDFiumLibrary }) => PDFiumLibrary.init())
    .catch((error: unknown) => {
      library = undefined
      throw error
    })
  return library
}

/** Discards a library that has crashed, so that the next call loads a new one. */
export function dropLibrary(): void {
  library = undefined
}

/** Returns whether the library has crashed. Its memory is in an undefined state then, so it must not be used for another page. */
export function hasCrashed(error: unknown): boolean {
  // A trap is a RuntimeError of WebAssembly; when it overflows the stack, V8 throws a RangeError.
  return error instanceof RangeError || (error instanceof Error && error.name === 'RuntimeError')
}

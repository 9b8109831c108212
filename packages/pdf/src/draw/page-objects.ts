// Reads the objects of a page with functions of PDFium for which the library has no methods.
import { multiply, type Matrix } from '../read/rules.ts'
import type { Box } from '../types.ts'
import type { PdfPage } from './pdfium.ts'

/** Handles of pages, objects and bitmaps are numbers; pointers are positions in the memory `HEAPU8`. */
export interface Pdfium {
  readonly HEAPU8: Uint8Array
  readonly wasmExports: { malloc(size: number): number; free(pointer: number): void }
  _FPDF_ClosePage(page: number): void
  _FPDF_GetPageBoundingBox(page: number, edges: number): number
  _FPDFPage_GetRotation(page: number): number
  _FPDFPage_CountObjects(page: number): number
  _FPDFPage_GetObject(page: number, index: number): number
  _FPDFPage_GetAnnotCount(page: number): number
  _FPDFPage_GetAnnot(page: number, index: number): number
  _FPDFPage_CloseAnnot(annotation: number): void
  _FPDFAnnot_GetSubtype(annotation: number): number
  _FPDFAnnot_GetRect(annotation: number, edges: number): number
  _FPDFFormObj_CountObjects(form: number): number
  _FPDFFormObj_GetObject(form: number, index: number): number
  _FPDFPageObj_GetType(object: number): number
  _FPDFPageObj_GetMatrix(object: number, matrix: number): number
  _FPDFPageObj_GetBounds(object: number, left: number, bottom: number, right: number, top: number): number
  _FPDFPageObj_HasTransparency(object: number): number
  _FPDFTextObj_GetTextRenderMode(object: number): number
  _FPDFImageObj_GetImagePixelSize(image: number, width: number, height: number): number
  _FPDFImageObj_GetImageMetadata(image: number, page: number, metadata: number): number
  _FPDFImageObj_GetImageFilterCount(image: number): number
  _FPDFImageObj_GetImageFilter(image: number, index: number, buffer: number, length: number): number
  _FPDFImageObj_GetImageDataRaw(image: number, buffer: number, length: number): number
  _FPDFImageObj_GetBitmap(image: number): number
  _FPDFImageObj_GetRenderedBitmap(file: number, page: number, image: number): number
  _FPDFBitmap_GetBuffer(bitmap: number): number
  _FPDFBitmap_GetFormat(bitmap: number): number
  _FPDFBitmap_GetHeight(bitmap: number): number
  _FPDFBitmap_GetStride(bitmap: number): number
  _FPDFBitmap_GetWidth(bitmap: number): number
  _FPDFBitmap_Destroy(bitmap: number): void
}

/** A page of a file and the library that has loaded it. */
export interface LoadedPage {
  readonly pdfium: Pdfium
  readonly file: number
  readonly page: number
}

/** Returns the handles of a page. They are valid until the page is drawn, which closes it. */
export function handlesOf(page: PdfPage): LoadedPage {
  // Cast: the library declares only the functions that it calls itself.
  const pdfium: object = page['module']
  return { pdfium: pdfium as Pdfium, file: page['documentIdx'], page: page['pageIdx'] }
}

/** Closes a page that is not drawn. */
export function closePage(page: PdfPage): void {
  const { pdfium, page: handle } = handlesOf(page)
  pdfium._FPDF_ClosePage(handle)
}

/** Calls a function with a pointer to memory of this size, which is freed afterwards. */
export function withMemory<T>({ wasmExports }: Pdfium, size: number, use: (pointer: number) => T): T {
  const pointer = wasmExports.malloc(size)
  if (pointer === 0) throw new Error(`PDFium has no memory for ${size} bytes.`)
  try {
    return use(pointer)
  } finally {
    wasmExports.free(pointer)
  }
}

/** Returns a view of the memory, which is valid until the next call of the library. */
export function viewOf({ HEAPU8 }: Pdfium): DataView {
  return new DataView(HEAPU8.buffer)
}

/** An object of a page that is not a form. */
export interface PageObject {
  readonly handle: number
  readonly isImage: boolean
  readonly isText: boolean
  /** In points. Coordinates of PDF: `top` is larger than `bottom`. */
  readonly box: Box
  /** The forms that contain the object. */
  readonly forms: readonly number[]
  /** Converts coordinates in the innermost form to coordinates on the page. */
  readonly outer: Matrix
}

const types = { text: 1, image: 3, form: 5 }
const maxObjects = 20_000
const maxForms = 8
const identity: Matrix = [1, 0, 0, 1, 0, 0]

/** Returns the objects of a page in the order in which they are drawn, or `undefined` if there are too many. */
export function listObjects({ pdfium, page }: LoadedPage): readonly PageObject[] | undefined {
  const objects: PageObject[] = []
  let left = maxObjects
  const add = (handle: number, { forms, outer }: Pick<PageObject, 'forms' | 'outer'>): boolean => {
    if (left-- === 0 || forms.length > maxForms) return false
    const type = pdfium._FPDFPageObj_GetType(handle)
    if (type !== types.form) {
      const box = boxOf(pdfium, handle, outer)
      if (box) objects.push({ handle, isImage: type === types.image, isText: type === types.text, box, forms, outer })
      return true
    }
    const inner = { forms: [...forms, handle], outer: multiply(outer, matrixOf(pdfium, handle)) }
    const count = pdfium._FPDFFormObj_CountObjects(handle)
    for (let index = 0; index < count; index += 1)
      if (!add(pdfium._FPDFFormObj_GetObject(handle, index), inner)) return false
    return true
  }
  const count = pdfium._FPDFPage_CountObjects(page)
  for (let index = 0; index < count; index += 1)
    if (!add(pdfium._FPDFPage_GetObject(page, index), { forms: [], outer: identity })) return undefined
  return objects
}

/** Returns the matrix of an image or a form. */
export function matrixOf(pdfium: Pdfium, object: number): Matrix {
  return withMemory(pdfium, 24, (pointer) => {
    if (!pdfium._FPDFPageObj_GetMatrix(object, pointer)) return identity
    // Cast: six numbers are read.
    return readFloats(pdfium, pointer, 6) as unknown as Matrix
  })
}

/** Returns the box of the visible part of a page, without its rotation. */
export function pageBoxOf({ pdfium, page }: LoadedPage): Box {
  return withMemory(pdfium, 16, (pointer) => {
    pdfium._FPDF_GetPageBoundingBox(page, pointer)
    return edgesAt(pdfium, pointer)
  })
}

const annotationTypes = { link: 2, popup: 16 }
const maxAnnotations = 1_000

/** Returns the boxes of the visible annotations of a page, or `undefined` if there are too many. */
export function listAnnotations({ pdfium, page }: LoadedPage): readonly Box[] | undefined {
  const count = pdfium._FPDFPage_GetAnnotCount(page)
  if (count > maxAnnotations) return undefined
  const boxes: Box[] = []
  for (let index = 0; index < count; index += 1) {
    const annotation = pdfium._FPDFPage_GetAnnot(page, index)
    if (annotation === 0) continue
    const type = pdfium._FPDFAnnot_GetSubtype(annotation)
    if (type !== annotationTypes.link && type !== annotationTypes.popup)
      withMemory(pdfium, 16, (pointer) => {
        if (pdfium._FPDFAnnot_GetRect(annotation, pointer)) boxes.push(edgesAt(pdfium, pointer))
      })
    pdfium._FPDFPage_CloseAnnot(annotation)
  }
  return boxes
}

function edgesAt(pdfium: Pdfium, pointer: number): Box {
  const [left = 0, top = 0, right = 0, bottom = 0] = readFloats(pdfium, pointer, 4)
  return { left, top, right, bottom }
}

function readFloats(pdfium: Pdfium, pointer: number, count: number): number[] {
  const view = viewOf(pdfium)
  return Array.from({ length: count }, (_, index) => view.getFloat32(pointer + index * 4, true))
}

function boxOf(pdfium: Pdfium, object: number, outer: Matrix): Box | undefined {
  return withMemory(pdfium, 16, (pointer) => {
    if (!pdfium._FPDFPageObj_GetBounds(object, pointer, pointer + 4, pointer + 8, pointer + 12)) return undefined
    const [left = 0, bottom = 0, right = 0, top = 0] = readFloats(pdfium, pointer, 4)
    return movedBox({ left, right, top, bottom }, outer)
  })
}

function movedBox({ left, right, top, bottom }: Box, [a, b, c, d, e, f]: Matrix): Box {
  const xs = [left, right].flatMap((x) => [top, bottom].map((y) => a * x + c * y + e))
  const ys = [left, right].flatMap((x) => [top, bottom].map((y) => b * x + d * y + f))
  return { left: Math.min(...xs), right: Math.max(...xs), top: Math.max(...ys), bottom: Math.min(...ys) }
}

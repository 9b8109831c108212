import { definePort } from '@harvestman/core/plugin'
import type { Ocr } from '@harvestman/ports'

/** Port of the text recognition for scans and images. */
export const ocrPort = definePort<Ocr>({
  name: 'ocr',
  description: 'text recognition (OCR)',
  remedy:
    'Add ocr() of @harvestman/documents/ocr to plugins, and install tesseract.js-core, @tesseract.js-data/eng and @hyzyla/pdfium.',
})

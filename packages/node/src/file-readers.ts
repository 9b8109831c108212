import type { Plugin } from '@harvestman/core/plugin'
import { documents } from '@harvestman/documents'
import { pdf } from '@harvestman/documents/pdf'

import type { Config } from './settings.ts'

/** Returns the plugins that read files. Text in scans and images is recognized if its languages are set. */
export async function fileReaders({ ocr: languages }: Pick<Config, 'ocr'>): Promise<readonly Plugin[]> {
  const readers = [pdf(), documents()]
  if (languages.length === 0) return readers
  const { ocr } = await import('@harvestman/documents/ocr')
  return [...readers, ocr({ languages })]
}

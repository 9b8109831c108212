import { EngineError, type OcrPicture, type OcrText } from '@harvestman/ports'
import { loadOptional } from '@harvestman/toolbox/load-optional'
import type { TesseractApi, TesseractModule } from 'tesseract.js-core/tesseract-core-relaxedsimd.js'

import { hasLanguage, readLanguage } from './languages.ts'
import { turnedExif } from './orientation.ts'
import { linesOf } from './result.ts'

export interface RecognizeTask {
  readonly picture: OcrPicture
  readonly languages: readonly string[]
  readonly folder: string | undefined
}

/** A message with the completed fraction of a task. */
export interface RecognizeProgress {
  readonly progress: number
}

/** The library with the loaded languages. */
interface Loaded {
  readonly module: TesseractModule
  readonly apis: Map<string, TesseractApi>
}

type Tell = (part: RecognizeProgress) => void

// Detection of columns, paragraphs and lines, but not of the orientation.
const automatic = '3'
// Below this mean confidence, the picture may be upside down.
const doubtful = 0.7
// Each combination of languages takes memory.
const maxApis = 4
// Smaller angles do not matter to the engine, in radians.
const minSkew = 0.005

/**
 * Creates the function that recognizes the text of a picture in a thread. It keeps the library and the data of the languages,
 * but nothing of a picture.
 */
export function makeRecognizer(): (task: RecognizeTask, tell: Tell) => Promise<OcrText> {
  let loaded: Promise<Loaded> | undefined
  let onProgress: Tell = () => undefined
  return async (task, tell) => {
    onProgress = tell
    try {
      if (((await loaded)?.apis.size ?? 0) >= maxApis) loaded = undefined
      loaded ??= load((progress) => onProgress({ progress }))
      return await recognize(await loaded, task)
    } catch (error) {
      if (EngineError.is(error) && error.code !== 'not_configured') throw error
      // After a failure of the library its memory is in an undefined state.
      loaded = undefined
      if (EngineError.is(error)) throw error
      throw new EngineError('unsupported_file', 'The text of the picture could not be recognized. Save it again.', {
        cause: error,
      })
    } finally {
      onProgress = () => undefined
    }
  }
}

async function load(onProgress: (share: number) => void): Promise<Loaded> {
  const { default: create } = await loadOptional(
    'tesseract.js-core',
    'OCR',
    () => import('tesseract.js-core/tesseract-core-relaxedsimd.js'),
  )
  let before = 0
  const module = await create({
    TesseractProgress: (percent) => {
      const share = Math.min(1, Math.max(0, percent / 100))
      if (share !== before) onProgress(share)
      before = share
    },
    print: () => undefined,
    printErr: () => undefined,
  })
  return { module, apis: new Map() }
}

async function recognize(loaded: Loaded, { picture, languages, folder }: RecognizeTask): Promise<OcrText> {
  const { module } = loaded
  const api = await apiFor(loaded, { languages, folder, engine: 1 })
  api.SetVariable('tessedit_pageseg_mode', automatic)
  api.SetVariable('user_defined_dpi', String(Math.round(picture.dotsPerInch ?? 0)))
  module.FS.writeFile('/input', picture.bytes)
  try {
    const exif = picture.exifOrientation ?? 1
    const upright = readText(api, exif, 0)
    if (upright.confidence >= doubtful || !hasLanguage({ language: 'osd', folder })) return upright.text
    const detector = await apiFor(loaded, { languages: ['osd'], folder, engine: 0 })
    const turns = detectTurns(loaded, detector, exif)
    if (turns === 0) return upright.text
    const turned = readText(api, turnedExif(exif, turns), turns)
    return turned.confidence > upright.confidence ? turned.text : upright.text
  } finally {
    module.FS.unlink('/input')
    for (const used of loaded.apis.values()) used.Clear()
  }
}

interface ApiOptions {
  readonly languages: readonly string[]
  readonly folder: string | undefined
  readonly engine: 0 | 1
}

async function apiFor({ module, apis }: Loaded, { languages, folder, engine }: ApiOptions): Promise<TesseractApi> {
  const name = languages.join('+')
  const known = apis.get(name)
  if (known) return known
  for (const language of languages)
    module.FS.writeFile(`/${language}.traineddata`, await readLanguage({ language, folder }))
  const api = new module.TessBaseAPI()
  if (api.Init('/', name, engine) !== 0)
    throw new EngineError('not_configured', `The OCR data of ${name} cannot be used. Install its package again.`)
  for (const language of languages) module.FS.unlink(`/${language}.traineddata`)
  apis.set(name, api)
  return api
}

interface ReadText {
  readonly text: OcrText
  readonly confidence: number
}

const halfTurn = 180
const quarters = [0, 90, 180, 270] as const

/** Recognizes the picture, after its lines were made horizontal. */
function readText(api: TesseractApi, exif: number, turns: number): ReadText {
  setImage(api, exif, 0)
  api.FindLines()
  const gradient = api.GetGradient()
  const skew = Math.abs(gradient) < minSkew ? 0 : gradient
  if (skew !== 0) setImage(api, exif, skew)
  api.Recognize(null)
  const { lines, confidence, width, height } = linesOf(api.GetJSONText(), api.GetTSVText())
  const text: OcrText = {
    ...{ width, height, lines },
    rotation: quarters[turns % quarters.length] ?? 0,
    skew: (skew * halfTurn) / Math.PI,
  }
  return { text, confidence }
}

function setImage(api: TesseractApi, exif: number, angle: number): void {
  if (api.SetImageFile(exif, angle) === 0) return
  throw new EngineError('unsupported_file', 'The picture is damaged or of an unusual kind. Save it again as PNG.', {
    details: { reason: 'damaged' },
  })
}

/** Returns the number of quarter turns with the clock that make the text upright; 0 if that is not clear. */
function detectTurns({ module }: Loaded, detector: TesseractApi, exif: number): number {
  setImage(detector, exif, 0)
  const result = new module.OSResults()
  return detector.DetectOS(result) ? result.best_result.orientation_id : 0
}

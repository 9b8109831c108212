import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'

import { EngineError } from '@harvestman/ports'

const scope = '@tesseract.js-data'
const validName = /^[a-zA-Z][a-zA-Z_]{1,29}$/
// The largest file, of two engines, is about 60 MB.
const maxBytes = 200_000_000
const unpack = promisify(gunzip)

/** Where to find the data of a language. */
export interface DataPlace {
  /** Name of the language, such as `eng`. */
  readonly language: string
  /** A folder with `eng.traineddata` or `eng.traineddata.gz`, such as that of the command `tesseract`. */
  readonly folder?: string | undefined
}

/**
 * Reads the data of a language: from the folder, else from its npm package beside this one or the application. Rejects with
 * `not_configured` if it is not there, and names the package. Nothing is downloaded.
 */
export async function readLanguage(place: DataPlace): Promise<Uint8Array> {
  const file = findData(place)
  if (file === undefined) throw missing(place)
  const bytes = await readFile(file)
  return file.endsWith('.gz') ? await unpack(bytes, { maxOutputLength: maxBytes }) : bytes
}

/** Returns whether the data of a language is installed. */
export function hasLanguage(place: DataPlace): boolean {
  return findData(place) !== undefined
}

function findData({ language, folder }: DataPlace): string | undefined {
  if (!validName.test(language)) return undefined
  const name = `${language}.traineddata`
  const inFolder = folder === undefined ? [] : [join(folder, name), join(folder, `${name}.gz`)]
  const inPackages = packageFolders(language).flatMap((path) =>
    // The first one has the smaller data, without the classic engine, which only the detection of the orientation uses.
    ['4.0.0_best_int', '4.0.0'].map((version) => join(path, version, `${name}.gz`)),
  )
  return [...inFolder, ...inPackages].find((path) => existsSync(path))
}

function packageFolders(language: string): string[] {
  return [import.meta.url, join(process.cwd(), 'package.json')].flatMap((beside) => {
    try {
      return [dirname(createRequire(beside).resolve(`${scope}/${language}/package.json`))]
    } catch {
      return []
    }
  })
}

function missing({ language, folder }: DataPlace): EngineError {
  if (!validName.test(language))
    return new EngineError(
      'not_configured',
      `OCR has no language ${JSON.stringify(language.slice(0, 40))}. Use a name such as eng or chi_sim.`,
    )
  const elsewhere = folder === undefined ? '' : `, and ${folder} does not have it`
  return new EngineError(
    'not_configured',
    `OCR needs the data of the language ${language}, which is not installed${elsewhere}. Run \`npm install ${scope}/${language}\`.`,
    { details: { language, package: `${scope}/${language}` } },
  )
}

// The package has no types. Only what is used is declared.
declare module 'tesseract.js-core/tesseract-core-relaxedsimd.js' {
  export interface TesseractApi {
    /** Returns 0, or -1 if the data cannot be read. Engine 0 is the classic one, 1 the neural network. */
    Init(folder: string, languages: string, engine: 0 | 1): number
    SetVariable(name: string, value: string): boolean
    /** Decodes the file `/input`. Returns 1 on failure. `angle` is in radians, against the clock. */
    SetImageFile(exifOrientation: number, angle: number): number
    FindLines(): number
    /** Returns the slope of the lines, in radians. */
    GetGradient(): number
    Recognize(monitor: null): number
    GetJSONText(): string
    GetTSVText(): string
    DetectOS(result: OsResults): boolean
    Clear(): void
  }

  export interface OsResults {
    readonly best_result: { readonly orientation_id: number; readonly oconfidence: number }
  }

  export interface TesseractModule {
    readonly TessBaseAPI: new () => TesseractApi
    readonly OSResults: new () => OsResults
    readonly FS: {
      writeFile(path: string, data: Uint8Array): void
      unlink(path: string): void
    }
  }

  export interface ModuleOptions {
    TesseractProgress?(percent: number): void
    print?(text: string): void
    printErr?(text: string): void
  }

  const load: (options: ModuleOptions) => Promise<TesseractModule>
  export default load
}

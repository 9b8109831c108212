import { beforeEach, expect, test, vi } from 'vitest'

import type { DrawTask } from './draw.ts'

// PDFium with a page 2 that crashes it.
const pdfium = vi.hoisted(() => {
  const state = { started: 0, canStart: true, crash: (): Error => new Error('broken'), destroyed: 0, originals: 0 }
  const pageOf = (index: number, instance: { hasCrashed: boolean }) => ({
    module: {
      _FPDFPage_GetRotation: () => {
        state.originals += 1
        throw state.crash()
      },
    },
    getOriginalSize: () => ({ originalWidth: 10, originalHeight: 10 }),
    render: () => {
      if (instance.hasCrashed) return Promise.reject(new Error('This library has crashed.'))
      if (index !== 1) return Promise.resolve({ data: new Uint8Array(100), width: 10, height: 10 })
      const error = state.crash()
      instance.hasCrashed = error.name !== 'Error'
      return Promise.reject(error)
    },
  })
  const init = () => {
    state.started += 1
    if (!state.canStart) return Promise.reject(new Error('No memory.'))
    const instance = { hasCrashed: false }
    const destroy = (): void => void (state.destroyed += 1)
    return Promise.resolve({
      loadDocument: () => Promise.resolve({ getPage: (index: number) => pageOf(index, instance), destroy }),
    })
  }
  return { state, init }
})
vi.mock('@hyzyla/pdfium', () => ({ PDFiumLibrary: { init: pdfium.init } }))

const task: DrawTask = {
  bytes: new Uint8Array(1),
  pages: [1, 2, 3],
  onlyWithPicture: [],
  dotsPerInch: 72,
  maxPixels: 1_000,
}

async function draw(options: Partial<DrawTask> = {}): Promise<(number | string)[]> {
  const { drawPages } = await import('./draw.ts')
  return (await drawPages({ ...task, ...options })).map(({ number, isBroken }) =>
    isBroken ? `${number} is broken` : number,
  )
}

beforeEach(() => {
  vi.resetModules()
  Object.assign(pdfium.state, { started: 0, canStart: true, destroyed: 0, originals: 0 })
})

test.each([
  ['a WebAssembly trap', () => Object.assign(new Error('unreachable'), { name: 'RuntimeError' })],
  ['a stack overflow', () => new RangeError('Maximum call stack size exceeded')],
])('after %s the next pages and files are drawn with a new library', async (_, crash) => {
  pdfium.state.crash = crash
  expect(await draw()).toEqual([1, '2 is broken', 3])
  expect(pdfium.state).toMatchObject({ started: 2, destroyed: 1 })
})

test('a page that cannot be drawn is broken, and the library is used again', async () => {
  pdfium.state.crash = () => new Error('broken')
  expect(await draw()).toEqual([1, '2 is broken', 3])
  expect(await draw()).toEqual([1, '2 is broken', 3])
  expect(pdfium.state).toMatchObject({ started: 1, destroyed: 2 })
})

test.each([
  ['crashes', () => Object.assign(new Error('unreachable'), { name: 'RuntimeError' }), 2],
  ['fails', () => new Error('broken'), 1],
])('a page whose original images the library %s at is drawn without them', async (_, crash, started) => {
  pdfium.state.crash = crash
  const crops = [[[0, 0, 1, 1]]] as const
  expect(await draw({ pages: [1], crops, originalBytes: 1_000 })).toEqual([1])
  expect(pdfium.state).toMatchObject({ started, originals: 1 })
})

test('a library that could not start is started again for the next file', async () => {
  pdfium.state.canStart = false
  await expect(draw()).rejects.toThrow()
  pdfium.state.canStart = true
  expect(await draw()).toContain(1)
})

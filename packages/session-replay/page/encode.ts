import type { EncoderInput, EncoderOutput } from '../src/encoder.ts'

/** Encodes pictures as a video. Returns the reason as a string if the browser cannot. */
export async function encodePictures(input: EncoderInput): Promise<EncoderOutput | string> {
  const { codec, width, height, bitrate, pictures } = input
  const config: VideoEncoderConfig = { codec, width, height, bitrate, framerate: 4, avc: { format: 'avc' } }
  if (typeof VideoEncoder === 'undefined' || !(await VideoEncoder.isConfigSupported(config)).supported)
    return 'no encoder'
  const context = new OffscreenCanvas(width, height).getContext('2d')
  if (!context) return 'no canvas'
  const samples: EncoderOutput['samples'][number][] = []
  let description: string | undefined
  let problem: string | undefined
  const encoder = new VideoEncoder({
    output: (chunk, metadata) => {
      const decoderConfig = metadata?.decoderConfig?.description
      if (decoderConfig) description = base64(bytesOf(decoderConfig))
      const bytes = new Uint8Array(chunk.byteLength)
      chunk.copyTo(bytes)
      samples.push({ isKey: chunk.type === 'key', bytes: base64(bytes) })
    },
    error: (error) => {
      problem = String(error)
    },
  })
  encoder.configure(config)
  for (const [index, { at, jpeg }] of pictures.entries()) {
    await draw(context, jpeg)
    const frame = new VideoFrame(context.canvas, { timestamp: at * 1000 })
    encoder.encode(frame, { keyFrame: index === 0 })
    frame.close()
  }
  await encoder.flush().catch((error: unknown) => {
    problem = String(error)
  })
  return problem ?? { description, samples }
}

async function draw(context: OffscreenCanvasRenderingContext2D, jpeg: string): Promise<void> {
  const { width, height } = context.canvas
  const bytes = Uint8Array.from(atob(jpeg), (letter) => letter.charCodeAt(0))
  const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/jpeg' }))
  const scale = Math.min(width / bitmap.width, height / bitmap.height)
  const [across, down] = [bitmap.width * scale, bitmap.height * scale]
  context.clearRect(0, 0, width, height)
  context.drawImage(bitmap, (width - across) / 2, (height - down) / 2, across, down)
  bitmap.close()
}

function base64(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return btoa(text)
}

const bytesOf = (source: AllowSharedBufferSource): Uint8Array =>
  ArrayBuffer.isView(source)
    ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength)
    : new Uint8Array(source)

import { modelData } from './model-data.ts'
import { readModel, type Model } from './packed-model.ts'

let model: Model | undefined

/** The model that is shipped. Unpacked on the first page. */
export function loadModel(): Model {
  model ??= readModel(modelData)
  return model
}

export { encodePictures } from './encode.ts'

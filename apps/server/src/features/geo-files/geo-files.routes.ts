import * as api from '@causeway/contract'
import type { Ctx } from '../../ctx.ts'
import { on, type Route } from '../../http/mount.ts'
import { describeGeoFiles, receiveGeoPiece, removeGeoFile } from './geo-files.actions.ts'

export function geoFilesRoutes(ctx: Ctx): Route[] {
  return [
    on(api.getGeoFiles, () => describeGeoFiles(ctx)),
    on(api.uploadGeoFile, (piece, caller) => receiveGeoPiece(ctx, caller, piece)),
    on(api.deleteGeoFile, ({ name }, caller) => removeGeoFile(ctx, caller, name)),
  ]
}

import { examineInstallation } from '@causeway/contract'
import { apiQuery } from '../../api/api-query.ts'

/** Takes seconds where a name or a port does not answer, so it is asked for when the page opens and by its button. */
export const doctorQuery = () => apiQuery(examineInstallation, {}, { staleTime: 0 })

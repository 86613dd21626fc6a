/** @type {import("next").NextConfig} */
export default {
  poweredByHeader: false,
  reactStrictMode: true,
  // The error page of a build must not show paths of the machine it was made on.
  productionBrowserSourceMaps: false,
};

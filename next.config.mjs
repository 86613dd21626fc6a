/** @type {import("next").NextConfig} */
export default {
  poweredByHeader: false,
  reactStrictMode: true,
  // Answers travel over loopback: compressing them costs more than it saves.
  compress: false,
};
